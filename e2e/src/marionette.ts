import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

/** Session of Marionette, Firefox's built-in remote protocol, which geckodriver uses as well. */
export interface Marionette {
  /**
   * Calls a command, such as `WebDriver:Navigate`.
   *
   * @throws Firefox's error message if it fails
   */
  call(command: string, parameters?: object): Promise<unknown>
  close(): void
}

/** Reads a stream of texts that are each preceded by their length in bytes: `5:[...]`. */
function readTexts(socket: Socket, onText: (text: string) => void): void {
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (let colon = bytes.indexOf(':'); colon > 0; colon = bytes.indexOf(':')) {
      const end = colon + 1 + Number(bytes.subarray(0, colon))
      if (bytes.length < end) return
      onText(bytes.subarray(colon + 1, end).toString('utf8'))
      bytes = bytes.subarray(end)
    }
  })
}

type Answer = readonly [type: 1, id: number, error: { readonly message: string } | null, result: unknown]

/** Connects to a Firefox that listens on a local port. @throws if none does */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const greeted = Promise.withResolvers<void>()
  greeted.promise.catch(() => undefined)
  readTexts(socket, (text) => {
    const message: unknown = JSON.parse(text)
    if (!Array.isArray(message)) return greeted.resolve()
    const [, id, error, result] = message as unknown as Answer
    const call = waiting.get(id)
    waiting.delete(id)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  })
  // Firefox may reset the connection when it ends; pending calls are rejected on close.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const { reject } of [greeted, ...waiting.values()]) reject(new Error('Firefox has ended'))
  })
  await once(socket, 'connect')
  await greeted.promise
  let last = 0
  return {
    call: (command, parameters = {}) => {
      const id = ++last
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      const text = JSON.stringify([0, id, command, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
      return answer.promise
    },
    close: () => socket.destroy(),
  }
}
