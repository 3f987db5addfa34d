import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ApiError } from '@muster/contract/api/errors'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { type LeakedSuffix, leakedRangeFile, readLeakedRange } from './leaked-range.service.ts'

export interface RangeOptions {
  readonly dataDir: string
  /** URL of a service of the public range protocol, used if no file is loaded. The prefix is appended. */
  readonly rangeUrl: string | undefined
  readonly clock: Clock
}

/** Looks up leaked passwords by the first five digits of their SHA-1. */
export interface RangeService {
  /** True if a file is loaded or a service is configured. */
  enabled(): boolean
  /**
   * Returns the lines `SUFFIX:COUNT` of a prefix, padded with random lines of count 0 so the length does not
   * reveal the prefix. Undefined if not enabled.
   *
   * @throws ApiError unavailable if the service does not answer
   */
  lines(prefix: string): Promise<string | undefined>
}

const answerTimeoutMs = 5_000
const answerBytesMaximum = 1024 * 1024
const cacheMs = 24 * 60 * 60 * 1000
/**
 * Time for which a failed service is not asked again. Otherwise each request would start another DNS look-up
 * of a name that does not resolve, and block one of the few pool threads.
 */
const retryAfterFailureMs = 10_000
const cacheSize = 256
const linePattern = /^([0-9A-F]{35}):(\d{1,10})$/i

/**
 * Creates the look-up of leaked passwords (domain contract, section 3). A loaded file takes precedence over
 * the service.
 */
export function rangeService({ dataDir, rangeUrl, clock }: RangeOptions): RangeService {
  const path = leakedRangeFile(dataDir)
  const known = boundedMap<string, { suffixes: readonly LeakedSuffix[]; untilMs: number }>(cacheSize)

  let failure: { readonly error: unknown; readonly untilMs: number } | undefined

  const fromService = async (url: string, prefix: string): Promise<readonly LeakedSuffix[]> => {
    const cached = known.get(prefix)
    if (cached && clock.monotonicMs() < cached.untilMs) return cached.suffixes
    if (failure && clock.monotonicMs() < failure.untilMs) throw failure.error
    const suffixes = await queryService(url, prefix).catch((error: unknown) => {
      failure = { error, untilMs: clock.monotonicMs() + retryAfterFailureMs }
      throw error
    })
    known.set(prefix, { suffixes, untilMs: clock.monotonicMs() + cacheMs })
    return suffixes
  }

  return {
    enabled: () => rangeUrl !== undefined || existsSync(path),
    async lines(text) {
      const prefix = text.toUpperCase()
      const found =
        (await readLeakedRange(path, prefix)) ??
        (rangeUrl === undefined ? undefined : await fromService(rangeUrl, prefix))
      return found && pad(found)
    },
  }
}

async function queryService(base: string, prefix: string): Promise<LeakedSuffix[]> {
  const url = new URL(base)
  const { username, password } = url
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${prefix}`
  url.username = ''
  url.password = ''
  const headers: Record<string, string> = { 'add-padding': 'true', 'user-agent': 'muster' }
  if (username !== '' || password !== '') {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  try {
    const answer = await fetch(url, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    if (!answer.ok || !answer.body) throw new Error(`the range service answered ${answer.status}`)
    return suffixesOf(await boundedText(answer.body))
  } catch (cause) {
    throw new ApiError('unavailable', 'The service for leaked passwords is not available.', {
      headers: { 'retry-after': '60' },
      cause,
    })
  }
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > answerBytesMaximum) throw new Error('the range service answered more than 1 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** Parses the lines of the protocol. Padding lines, with count 0, are left out. */
const suffixesOf = (text: string): LeakedSuffix[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, suffix, count] = linePattern.exec(line.trim()) ?? []
    return suffix === undefined || !(Number(count) > 0)
      ? []
      : [{ suffix: suffix.toUpperCase(), count: Number(count) }]
  })

const paddedLines = { minimum: 800, maximum: 1000 }

/** Pads like the public protocol: to a random number of lines, with random suffixes. */
function pad(suffixes: readonly LeakedSuffix[]): string {
  const lineCount = randomInt(paddedLines.minimum, paddedLines.maximum + 1)
  const lines = suffixes.map(({ suffix, count }) => `${suffix}:${count}`)
  while (lines.length < lineCount) lines.push(`${randomBytes(18).toString('hex').slice(1).toUpperCase()}:0`)
  return lines.sort().join('\r\n')
}
