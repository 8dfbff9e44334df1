/**
 * Refuses a Node.js that is too old, in one sentence. Imported first, before anything that an old one cannot parse.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `turnstep needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a current LTS release and try again.`,
  )
  process.exit(1)
}
