/**
 * Starts or joins the server of a data folder, prints where it came from, and holds it until standard input ends:
 * `node hold-temporal-server.mjs DATA_DIR CACHE_DIR`.
 */
import { once } from 'node:events'
import { startTemporalServer } from '../../dist/cli/temporal-server.js'

const [dataDir = '', cacheDir = ''] = process.argv.slice(2)
const server = await startTemporalServer({
  namespace: 'default',
  dataDir,
  cacheDir,
  searchPath: '',
  log: () => {},
})
console.log(server.source)
process.stdin.resume()
await once(process.stdin, 'end')
await server.stop()
