/** Accepts `ts`, `.ts` and `*.ts` alike, each for names that end in `.ts` (so not `.tsx`); nothing accepts every file. */
export function acceptsExtension(extension: string | undefined): (path: string) => boolean {
  const bare = (extension ?? '')
    .trim()
    .replace(/^\*?\.?/, '')
    .toLowerCase()
  return bare === '' ? () => true : (path) => path.toLowerCase().endsWith(`.${bare}`)
}
