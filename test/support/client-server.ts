import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach } from 'vitest'
import { type ClientOptions, createClient } from '../../sdk/src/client.ts'
import type { Client } from '../../sdk/src/client-types.ts'
import { type Caller, type Harness, type HarnessOptions, useHarness } from './harness.ts'
import type { StoreName } from './stores.ts'
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.ts'

/** Listening server. Each test has its own organization, and its own proxy in front of the server. */
export interface ClientServer {
  readonly h: Harness
  proxy: UnreliableProxy
  caller: Caller
}

/** Starts the server for all tests of the calling file or `describe`. */
export function useClientServer(store: StoreName, options?: HarnessOptions): ClientServer {
  const h = useHarness(store, options)
  const at = { h } as ClientServer
  let port = 0
  beforeAll(async () => {
    await h.app.listen({ port: 0, host: '127.0.0.1' })
    port = (h.app.server.address() as AddressInfo).port
  })
  beforeEach(async () => {
    at.caller = await h.addCaller()
    at.proxy = await startUnreliableProxy(port)
    return at.proxy.close
  })
  return at
}

/** Creates a client with the test's key, through the proxy. Its waits between attempts advance the server's clock. */
export const clientOf = ({ h, proxy, caller }: ClientServer, more: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: proxy.address,
    apiKey: caller.key,
    delay: async (milliseconds) => h.clock.advanceMs(milliseconds),
    ...more,
  })
