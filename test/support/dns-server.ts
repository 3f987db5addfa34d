import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

/** Response to a query: addresses, an error, or none, which leaves the client waiting. */
export type DnsAnswer = readonly string[] | 'no such name' | 'refused' | 'silent'

/** Received query. */
export interface DnsQuery {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'other'
}

/** DNS server on this machine. */
export interface DnsServer {
  /** Address for `Resolver.setServers`: `127.0.0.1:40123`. */
  readonly address: string
  readonly queries: DnsQuery[]
  close(): Promise<void>
}

const typeA = 1
const typeAaaa = 28
const headerBytes = 12
const rcodes = { 'no such name': 3, refused: 5 } as const

/**
 * Starts a DNS server over UDP. Close it when done.
 *
 * @param answer called for each query; may resolve later
 */
export async function startDnsServer(
  answer: (query: DnsQuery) => DnsAnswer | Promise<DnsAnswer>,
  at: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const queries: DnsQuery[] = []
  let open = true
  const onMessage = async (message: Buffer, from: RemoteInfo): Promise<void> => {
    const { query, questionEnd } = parseQuery(message)
    queries.push(query)
    const answered = await answer(query)
    if (answered === 'silent' || !open) return
    socket.send(reply(message, questionEnd, query, answered), from.port, from.address)
  }
  socket.on('message', (message, from) => void onMessage(message, from))
  socket.bind(at.port, at.host)
  await once(socket, 'listening')
  return {
    address: `${at.host}:${socket.address().port}`,
    queries,
    close: async () => {
      open = false
      socket.close()
      await once(socket, 'close')
    },
  }
}

function parseQuery(message: Buffer): { query: DnsQuery; questionEnd: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const code = message.readUInt16BE(at + 1)
  const type = code === typeA ? 'A' : code === typeAaaa ? 'AAAA' : 'other'
  return { query: { name: labels.join('.').toLowerCase(), type }, questionEnd: at + 5 }
}

/**
 * Returns header and question of the query, followed by the addresses (RFC 1035, section 4). Supports only A
 * records.
 */
function reply(
  message: Buffer,
  questionEnd: number,
  { type }: DnsQuery,
  answered: Exclude<DnsAnswer, 'silent'>,
): Buffer {
  const addresses = typeof answered === 'string' || type !== 'A' ? [] : answered
  const head = Buffer.from(message.subarray(0, questionEnd))
  head.writeUInt16BE(0x8180 | (typeof answered === 'string' ? rcodes[answered] : 0), 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...records])
}
