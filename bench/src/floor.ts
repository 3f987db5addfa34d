/**
 * The floor: the minimum that a Node process must do for the same responses, written by hand. It has `node:http(s)`, one
 * prepared statement, page bytes directly from the store, a SHA-256 and a map lookup for the key, and one token bucket. It has
 * no framework, validation, logging or authenticated tokens. The difference to Muster is the cost of those.
 *
 *   node bench/src/floor.ts --key-hash HEX (--file FILE | --postgres URL) [--cert FILE --key FILE]
 *
 * Routes: GET /list?limit=…&after=…; GET /single/<id>; POST /single, which writes one row; POST /equivalent, which writes
 * everything that the contract requires for a new employee. The program prints its address.
 */
import { hash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { openFloorPostgres } from './floor-postgres.ts'
import { type FloorEmployee, type FloorStore, openFloorFile } from './floor-sqlite.ts'

const { values } = parseArgs({
  options: {
    'key-hash': { type: 'string' },
    file: { type: 'string' },
    postgres: { type: 'string' },
    cert: { type: 'string' },
    key: { type: 'string' },
  },
})

const holders = new Map([[values['key-hash'], { tokens: 1e9, atMs: Date.now() }]])

/** Checks the key and its token bucket, which never runs empty here. */
function isAdmitted(key: string | string[] | undefined): boolean {
  const bucket = typeof key === 'string' ? holders.get(hash('sha256', key, 'hex')) : undefined
  if (!bucket) return false
  const nowMs = Date.now()
  bucket.tokens = Math.min(1e9, bucket.tokens + (nowMs - bucket.atMs) * 1000) - 1
  bucket.atMs = nowMs
  return bucket.tokens >= 0
}

const head = Buffer.from('{"the service":[')

function pageBody({ bytes, last, more }: { bytes: Uint8Array; last: number; more: boolean }): Buffer {
  const token = more ? `"${last}"` : null
  return Buffer.concat([
    head,
    bytes,
    Buffer.from(`],"paging":{"moreResults":${more},"nextToken":${token},"next":null}}`),
  ])
}

let requests = 0

/** Sends a response with the header fields that the contract requires on each one. */
function send(response: ServerResponse, body: Buffer | string): void {
  response.writeHead(200, {
    'x-request-id': `floor.${(++requests).toString(36)}`,
    'ratelimit-policy': '"user";q=1000000;w=1;burst=1000000',
    ratelimit: `"user";r=${requests % 1_000_000};t=1`,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function sendList(store: FloorStore, url: string, response: ServerResponse): void {
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  const page = store.list(Number(query.get('after')), Number(query.get('limit')))
  if (page instanceof Promise) void page.then((found) => send(response, pageBody(found)))
  else send(response, pageBody(page))
}

function sendSingle(store: FloorStore, url: string, response: ServerResponse): void {
  const record = store.get(url.slice('/single/'.length))
  if (record instanceof Promise) void record.then((found) => send(response, found))
  else send(response, record)
}

function addRecord(store: FloorStore, request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as EmployeeBody
    const id = randomUUID()
    const record = JSON.stringify({ id, ...body })
    const done =
      request.url === '/equivalent' ? store.addEmployee(employeeOf(id, body, record)) : store.add(id, record)
    if (done instanceof Promise) void done.then(() => send(response, record))
    else send(response, record)
  })
}

interface EmployeeBody {
  readonly email: string
}

/** Returns the rows of a new employee. They have fewer members than Muster's, to the floor's advantage. */
function employeeOf(id: string, { email }: EmployeeBody, record: string): FloorEmployee {
  const nowMs = Date.now()
  const eventId = nowMs.toString(16) + id
  const event = JSON.stringify({
    version: '1',
    id: eventId,
    timestamp: Math.floor(nowMs / 1000),
    object: 'EMPLOYEE_ADDED',
    friendlyName: 'Employee added',
    category: 'AUDIT',
    description: 'An employee was added.',
    actor: { source: 'API', apiKeyName: 'bench', apiKeyCreatedBy: 'bench@example.com', userAgent: null },
    new: { employeeId: id, employeeEmail: email },
  })
  return { id, email: email.toLowerCase(), record, eventId, event }
}

function respond(store: FloorStore, request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? ''
  if (!isAdmitted(request.headers['x-api-key'])) response.writeHead(401).end()
  else if (request.method === 'POST') addRecord(store, request, response)
  else if (url.startsWith('/list')) sendList(store, url, response)
  else sendSingle(store, url, response)
}

const store = values.postgres ? openFloorPostgres(values.postgres) : openFloorFile(values.file ?? '')
const listener = (request: IncomingMessage, response: ServerResponse) => respond(store, request, response)
const tls =
  values.cert && values.key ? { cert: readFileSync(values.cert), key: readFileSync(values.key) } : undefined
const server = tls ? createTlsServer(tls, listener) : createServer(listener)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`floor at ${tls ? 'https' : 'http'}://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => process.exit())
