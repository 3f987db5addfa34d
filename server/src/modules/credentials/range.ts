import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ApiError } from '@muster/contract/errors'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { type LeakedSuffix, leakedRangeFile, readLeakedRange } from './leaked-range.service.ts'

/** Where leaked passwords are looked up. */
export interface RangeOptions {
  readonly dataDir: string
  /** A service of the public range protocol, asked when no file was loaded; the prefix is put behind it. */
  readonly rangeUrl: string | undefined
  readonly clock: Clock
}

/** Looks up leaked passwords by the first five digits of their SHA-1. */
export interface RangeService {
  /** Whether there is anything to look into: a file that was loaded, or a service that is set. */
  enabled(): boolean
  /**
   * The lines `SUFFIX:COUNT` of a prefix, with made-up ones of count 0 among them, so that the length of the answer
   * does not tell the prefix; undefined if it is not enabled.
   *
   * @throws ApiError unavailable when the service does not answer
   */
  lines(prefix: string): Promise<string | undefined>
}

const answerWithinMs = 5_000
const answerBytesMaximum = 1024 * 1024
const rememberedMs = 24 * 60 * 60 * 1000
/**
 * Time for which a failed service is not asked again. Without it, each request of a browser would start a look-up of a name
 * that does not resolve, and hold one of the process's few threads.
 */
const failedMs = 10_000
const remembered = 256
const linePattern = /^([0-9A-F]{35}):(\d{1,10})$/i

/** Makes the look-up of leaked passwords (domain contract, section 3). The file goes before the service. */
export function rangeService({ dataDir, rangeUrl, clock }: RangeOptions): RangeService {
  const path = leakedRangeFile(dataDir)
  const known = boundedMap<string, { suffixes: readonly LeakedSuffix[]; untilMs: number }>(remembered)

  let failure: { readonly error: unknown; readonly untilMs: number } | undefined

  const fromService = async (url: string, prefix: string): Promise<readonly LeakedSuffix[]> => {
    const cached = known.get(prefix)
    if (cached && clock.monotonicMs() < cached.untilMs) return cached.suffixes
    if (failure && clock.monotonicMs() < failure.untilMs) throw failure.error
    const suffixes = await askService(url, prefix).catch((error: unknown) => {
      failure = { error, untilMs: clock.monotonicMs() + failedMs }
      throw error
    })
    known.set(prefix, { suffixes, untilMs: clock.monotonicMs() + rememberedMs })
    return suffixes
  }

  return {
    enabled: () => rangeUrl !== undefined || existsSync(path),
    async lines(text) {
      const prefix = text.toUpperCase()
      const found =
        (await readLeakedRange(path, prefix)) ??
        (rangeUrl === undefined ? undefined : await fromService(rangeUrl, prefix))
      return found && padded(found)
    },
  }
}

async function askService(base: string, prefix: string): Promise<LeakedSuffix[]> {
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
      signal: AbortSignal.timeout(answerWithinMs),
    })
    if (!answer.ok || !answer.body) throw new Error(`the range service answered ${answer.status}`)
    return suffixesOf(await boundedText(answer.body))
  } catch (cause) {
    throw new ApiError('unavailable', 'The service for leaked passwords cannot be reached.', {
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

/** The lines that are in the form of the protocol; made-up ones, of count 0, are left out. */
const suffixesOf = (text: string): LeakedSuffix[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, suffix, count] = linePattern.exec(line.trim()) ?? []
    return suffix === undefined || !(Number(count) > 0)
      ? []
      : [{ suffix: suffix.toUpperCase(), count: Number(count) }]
  })

const paddedLines = { least: 800, most: 1000 }

/** As the public protocol pads: to a random number of lines, with random suffixes that were never seen. */
function padded(suffixes: readonly LeakedSuffix[]): string {
  const wanted = randomInt(paddedLines.least, paddedLines.most + 1)
  const lines = suffixes.map(({ suffix, count }) => `${suffix}:${count}`)
  while (lines.length < wanted) lines.push(`${randomBytes(18).toString('hex').slice(1).toUpperCase()}:0`)
  return lines.sort().join('\r\n')
}
