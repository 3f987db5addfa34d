import { operations, type Paging, recordsMemberDefault } from '@muster/contract/api/api'
import type { Operation } from '@muster/contract/api/operation'
import { readBaseUrl } from './base-url.ts'
import { type CallArguments, callRequest, sortArguments } from './call-request.ts'
import type { Page, PagingInput } from './client-options.ts'
import type { Client } from './client-types.ts'
import { MusterAnswerError } from './muster-error.ts'
import { type RetryBounds, retryBoundsDefault } from './retry-plan.ts'
import { type ClientSettings, send } from './send.ts'
import { waitMs } from './wait.ts'

export type { Client }

/** Options of a client. */
export interface ClientOptions {
  /** The address of the server: `https://muster.example.com`; http only to this machine. */
  readonly baseUrl: string
  /** The key, as it was shown once. */
  readonly apiKey: string
  /** In the place of the global `fetch`, to go by a proxy or to trust a certificate. */
  readonly fetch?: typeof fetch | undefined
  /** Member of a page that contains its records (`MUSTER_RECORDS_MEMBER` of the server); `the service` by default. */
  readonly recordsMember?: string | undefined
  /** Timeout of one attempt in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Bounds of trying again. */
  readonly retry?: { readonly [K in keyof RetryBounds]?: RetryBounds[K] | undefined } | undefined
  /** Waits between two attempts; a timer by default. */
  readonly delay?: ClientSettings['delay'] | undefined
}

/** Maximum page size, to iterate with the fewest requests. */
const walkLimit = 1000

const timeoutMsDefault = 60_000

/** The longest time that a timer can run for: one that is longer would end at once. */
const timerMaximumMs = 2 ** 31 - 1

/**
 * A client of the API: one method per operation of the contract, and `iterate`. It holds no connection that has to
 * be closed.
 *
 * @throws TypeError when the address, the key or a bound cannot be one
 */
export function createClient(options: ClientOptions): Client {
  const recordsMember = options.recordsMember ?? recordsMemberDefault
  const connection: ClientSettings = {
    base: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    fetch: options.fetch ?? fetch,
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? timeoutMsDefault, 1, timerMaximumMs),
    retry: readRetryBounds(options.retry),
    delay: options.delay ?? waitMs,
  }

  const call = async (operation: Operation, given: CallArguments): Promise<unknown> => {
    const answer = await send(connection, callRequest(operation, given), given.options.signal)
    return operation.kind === 'list' ? readPage(answer, recordsMember) : answer
  }

  async function* iterate(list: keyof typeof operations, ...values: unknown[]) {
    const operation: Operation = operations[list]
    const given = sortArguments(operation, values)
    const filters: PagingInput = { limit: walkLimit, ...(given.input as PagingInput | undefined) }
    if (filters.offset !== undefined) throw new TypeError('a walk goes by nextToken: it takes no offset')
    let nextToken = filters.nextToken ?? null
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
  // The methods are created from the same declarations as their types, which the compiler cannot verify.
  return Object.freeze({ ...Object.fromEntries(methods), iterate }) as Client
}

/** The key goes into a header; what cannot stand there is refused here, where no message repeats it. */
function readApiKey(apiKey: string): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(apiKey))
    throw new TypeError('apiKey is not an API key of Muster')
  return apiKey
}

function readRetryBounds(given: ClientOptions['retry']): RetryBounds {
  const { attemptsMaximum, waitMaximumSeconds } = retryBoundsDefault
  const attempts = given?.attemptsMaximum ?? attemptsMaximum
  const waitSeconds = given?.waitMaximumSeconds ?? waitMaximumSeconds
  return {
    attemptsMaximum: readCount('retry.attemptsMaximum', attempts, 1, Number.MAX_SAFE_INTEGER),
    waitMaximumSeconds: readCount('retry.waitMaximumSeconds', waitSeconds, 0, timerMaximumMs / 1000),
  }
}

function readCount(name: string, value: number, minimum: number, maximum: number): number {
  if (!Number.isInteger(value) || value < minimum || value > maximum)
    throw new TypeError(`${name} must be a whole number from ${minimum} to ${Math.floor(maximum)}`)
  return value
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
  const { nextToken } = paging as Partial<Paging>
  if (typeof nextToken !== 'string' && nextToken !== null)
    throw new MusterAnswerError(200, 'The page has no nextToken: is this the address of Muster?')
  return { records, paging } as Page<unknown>
}
