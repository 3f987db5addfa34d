import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'

/** Documents of a provider are small. */
const maximumBytes = 1024 * 1024

/** Request of the OpenID Connect client, as far as it is used. */
export interface GuardedRequest {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/**
 * Fetches a page from an address that the guard allows. Follows no redirects and does not reuse connections.
 *
 * @throws RefusedTargetError if the address is not allowed, the network error, or an error for more than 1 MiB
 */
export async function guardedFetch(
  guard: AddressGuard,
  address: string,
  { method = 'GET', headers, body, signal }: GuardedRequest,
): Promise<Response> {
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const allowed = await guard.allowedAddresses(host, secure)
  const payload = body === undefined || body === null ? undefined : Buffer.from(String(body))
  const options = {
    method,
    headers: { ...headers, ...(payload && { 'content-length': String(payload.length) }) },
    lookup: guard.lookUp(secure, allowed),
    agent: false as const,
    ...(signal ? { signal } : {}),
  }
  return new Promise<Response>((resolve, reject) => {
    const request = secure ? requestHttps(url, options) : requestHttp(url, options)
    request.on('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > maximumBytes) request.destroy(new Error('the response is larger than 1 MiB'))
      })
      response.on('error', reject)
      response.once('end', () => {
        const status = response.statusCode ?? 0
        const isEmpty = [204, 205, 304].includes(status)
        const fields = Object.entries(response.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one): [string, string] => [name, one]),
        )
        resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: fields }))
      })
    })
    request.end(payload)
  })
}
