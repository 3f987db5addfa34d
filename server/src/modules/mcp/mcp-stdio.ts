import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { CommandFailure } from '../../kernel/cli/command.ts'
import { mcpServer } from './mcp-server.ts'
import type { ToolCaller, ToolWorld } from './tool.ts'

/** Maximum size of a message in bytes, as over HTTP. */
const messageBytesMaximum = 256 * 1024

/**
 * Serves one assistant until it closes its side or the signal is aborted.
 *
 * @throws CommandFailure if a message is too long
 */
export async function serveMcpOnStdio(
  world: ToolWorld,
  caller: ToolCaller,
  { input, output, signal }: StdioStreams,
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: messageBytesMaximum })
  const handle = serveStdio(() => mcpServer(world, caller), { transport, maxSubscriptions: 0 })
  const { onclose } = transport
  const isTooLong = await new Promise<boolean>((done) => {
    // The transport closes itself when a message is too long, and leaves the streams open.
    transport.onclose = () => {
      onclose?.()
      done(!input.readableEnded && !input.destroyed && !output.errored)
    }
    signal.addEventListener('abort', () => done(false), { once: true })
    if (signal.aborted) done(false)
  })
  await handle.close()
  if (isTooLong)
    throw new CommandFailure(`A message of the assistant has more than ${messageBytesMaximum / 1024} KiB.`)
}

/** Streams of an assistant. */
interface StdioStreams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly signal: AbortSignal
}
