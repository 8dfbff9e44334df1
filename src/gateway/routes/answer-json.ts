/** A JSON answer whose shape the schema of its route describes, and tests compare with it. */
export function answerJson(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}
