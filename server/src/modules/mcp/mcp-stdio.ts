import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { mcpServer } from './mcp-server.ts'
import type { ToolCaller, ToolWorld } from './tool.ts'

/** Maximum size of a message in bytes, as over HTTP. */
const messageBytesMaximum = 256 * 1024

/** Serves one assistant until it closes its side or the signal is aborted. */
export async function serveMcpOnStdio(
  world: ToolWorld,
  caller: ToolCaller,
  { input, output, signal }: StdioStreams,
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: messageBytesMaximum })
  const handle = serveStdio(() => mcpServer(world, caller), { transport, maxSubscriptions: 0 })
  await new Promise<void>((done) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => done())
    signal.addEventListener('abort', () => done(), { once: true })
    if (signal.aborted || input.readableEnded) done()
  })
  await handle.close()
}

/** Streams of an assistant. */
interface StdioStreams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly signal: AbortSignal
}
