import { operations, recordsMemberDefault } from '@muster/contract/api'
import type { Operation } from '@muster/contract/operation'
import { readBaseUrl } from './base-url.ts'
import { type CallArguments, callRequest, sortArguments } from './call-request.ts'
import type { Client, Page } from './client-types.ts'
import { MusterAnswerError } from './muster-error.ts'
import { type RetryBounds, retryBoundsDefault } from './retry-plan.ts'
import { type Connection, send } from './send.ts'
import { waitMs } from './wait.ts'

/** What a client is made of. */
export interface ClientOptions {
  /** The address of the server: `https://muster.example.com`; http only to this machine. */
  readonly baseUrl: string
  /** The key, as it was shown once. */
  readonly apiKey: string
  /** In the place of the global `fetch`, to go by a proxy or to trust a certificate. */
  readonly fetch?: typeof fetch
  /** The member of a page that holds its records (`MUSTER_RECORDS_MEMBER` of the server); `the service` unless told. */
  readonly recordsMember?: string
  /** For how long one attempt of a call may take; 60,000 unless told. */
  readonly timeoutMs?: number
  /** Bounds of trying again. */
  readonly retry?: Partial<RetryBounds>
  /** Waits between two attempts; a timer unless told. */
  readonly delay?: Connection['delay']
}

/** The largest page, so that a walk takes the fewest requests. */
const walkLimit = 1000

/**
 * A client of the API: one method per operation of the contract, and `iterate`. It holds no connection that has to
 * be closed.
 *
 * @throws TypeError when the address or the key cannot be one
 */
export function createClient(options: ClientOptions): Client {
  const recordsMember = options.recordsMember ?? recordsMemberDefault
  const connection: Connection = {
    base: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    fetch: options.fetch ?? fetch,
    timeoutMs: options.timeoutMs ?? 60_000,
    retry: { ...retryBoundsDefault, ...options.retry },
    delay: options.delay ?? waitMs,
  }

  const call = async (operation: Operation, given: CallArguments): Promise<unknown> => {
    const answer = await send(connection, callRequest(operation, given), given.options.signal)
    return operation.kind === 'list' ? readPage(answer, recordsMember) : answer
  }

  async function* iterate(list: keyof typeof operations, ...values: unknown[]) {
    const operation: Operation = operations[list]
    const given = sortArguments(operation, values)
    const filters = { limit: walkLimit, ...(given.input as object | undefined) }
    let nextToken = (filters as { nextToken?: string | null }).nextToken ?? null
    do {
      const page = (await call(operation, { ...given, input: { ...filters, nextToken } })) as Page<unknown>
      yield* page.records
      nextToken = page.paging.nextToken
    } while (nextToken !== null)
  }

  const methods = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    (...values: unknown[]) => call(operation, sortArguments(operation, values)),
  ])
  // The methods are made from the same declarations as their types, which no type can follow.
  return Object.freeze({ ...Object.fromEntries(methods), iterate }) as Client
}

/** The key goes into a header; what cannot stand there is refused here, where no message repeats it. */
function readApiKey(apiKey: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(apiKey)) throw new TypeError('apiKey is not an API key of Muster')
  return apiKey
}

function readPage(answer: object, recordsMember: string): Page<unknown> {
  const { [recordsMember]: records, paging } = answer as Record<string, unknown>
  if (!Array.isArray(records) || typeof paging !== 'object' || paging === null) {
    const members = Object.keys(answer).map((name) => JSON.stringify(name))
    throw new MusterAnswerError(
      200,
      `The page has no list ${JSON.stringify(recordsMember)} with paging, but ${members.join(', ')}: set recordsMember.`,
    )
  }
  return { records, paging } as unknown as Page<unknown>
}
