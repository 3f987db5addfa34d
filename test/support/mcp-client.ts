import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import type { Harness, JsonValue } from './harness.ts'

/** Revisions of the protocol: with a handshake, and without one. */
export const protocolModes = ['legacy', 'auto'] as const
type ProtocolMode = (typeof protocolModes)[number]

/** Answer of a tool. */
export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  /** Data between the marks of an answer. */
  readonly data: JsonValue
}

/** Connected assistant. */
export interface Assistant {
  readonly client: Client
  call(tool: string, args?: Record<string, unknown>): Promise<ToolResult>
}

/** Connects the SDK's client over any transport. */
export async function connectAssistant(
  transport: Transport,
  mode: ProtocolMode = 'legacy',
): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    client,
    call: async (name, args = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args })
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      const [, json] = /<data>\n(.*)\n<\/data>/s.exec(text) ?? []
      return { isError, text, data: json === undefined ? undefined : JSON.parse(json) }
    },
  }
}

/** Connects the SDK's client to `/mcp` of a server that listens. Each request advances the clock, as `Harness.call` does. */
export function assistantOf(
  { app, clock }: Harness,
  headers: Record<string, string>,
  mode?: ProtocolMode,
): Promise<Assistant> {
  const { port } = app.server.address() as AddressInfo
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers },
    fetch: (url, init) => {
      clock.advanceMs(1000)
      return fetch(url, init)
    },
  })
  return connectAssistant(transport, mode)
}
