import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns an unused TCP port of the loopback address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free TCP port')
  return address.port
}
