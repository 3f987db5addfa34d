import { Resolver } from 'node:dns/promises'
import { boundedMap } from '../../../kernel/lib/bounded-map.ts'
import { systemLookups } from './system-lookups.ts'

/** Returns all addresses of a host name. @throws Error when it has none or the look-up times out */
type ResolveHost = (name: string) => Promise<readonly string[]>

/** Resolves host names for connections. */
export interface HostResolver {
  readonly resolve: ResolveHost
  /** Cancels all look-ups: pending and later calls fail. */
  close(): void
}

export interface HostResolverOptions {
  /** Addresses of name servers, such as `127.0.0.1:5353`. Default: those of the system. */
  readonly servers?: readonly string[]
  /** Timeout of a query to a name server, in milliseconds. */
  readonly answerWithinMs?: number
  /** Timeout of a whole look-up, in milliseconds. */
  readonly lookUpWithinMs?: number
  /** Monotonic time in milliseconds, for the cache. */
  readonly nowMs?: () => number
}

/** Shorter than the timeout of an attempt, whose error can then say that the look-up failed. */
const defaultLookUpMs = 4500
const cacheMs = { found: 2000, failed: 5000 }
const cacheSize = 1000

/** DNS errors after which the system is asked: no such name, or no name server. */
const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'EREFUSED'])

interface CacheEntry {
  readonly answer: Promise<readonly string[]>
  readonly untilMs: number
}

/**
 * Creates a resolver that queries the name servers first, which needs no thread and can be canceled. It asks the system
 * (hosts file, mDNS, search domains) only for names that the name servers do not know. Concurrent calls for a name share
 * one look-up.
 */
export function hostResolver(options: HostResolverOptions = {}): HostResolver {
  const { servers, answerWithinMs = 2000, lookUpWithinMs = defaultLookUpMs } = options
  const { nowMs = () => performance.now() } = options
  const dns = new Resolver({ timeout: answerWithinMs, tries: 1 })
  if (servers) dns.setServers(servers)
  const pending = new Map<string, Promise<readonly string[]>>()
  const cache = boundedMap<string, CacheEntry>(cacheSize)
  const rejectors = new Set<(error: Error) => void>()
  let closed = false

  const lookUp: ResolveHost = async (name) => {
    const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const failure = answers.find(
      (answer) => answer.status === 'rejected' && !notInDns.has(String(answer.reason?.code)),
    )
    if (failure?.status === 'rejected' && !systemLookups.knows(name)) throw failure.reason
    if (closed) throw closedError()
    return systemLookups.lookUp(name, performance.now() + lookUpWithinMs)
  }

  /** Rejects after the timeout even if the look-up hangs, to free the memory of the attempt. */
  const withTimeout = (name: string): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        rejectors.delete(fail)
      }
      const fail = (error: Error) => {
        end()
        reject(error)
      }
      const timer = setTimeout(() => fail(timeoutError()), lookUpWithinMs)
      rejectors.add(fail)
      lookUp(name).then((addresses) => {
        end()
        resolve(addresses)
      }, fail)
    })

  const store = (name: string, answer: Promise<readonly string[]>, ms: number): void => {
    pending.delete(name)
    cache.set(name, { answer, untilMs: nowMs() + ms })
  }

  const resolve = (name: string): Promise<readonly string[]> => {
    if (closed) return Promise.reject(closedError())
    const cached = cache.get(name)
    if (cached && nowMs() < cached.untilMs) return cached.answer
    const shared = pending.get(name)
    if (shared) return shared
    const answer = withTimeout(name)
    pending.set(name, answer)
    answer.then(
      () => store(name, answer, cacheMs.found),
      () => store(name, answer, cacheMs.failed),
    )
    return answer
  }

  return {
    resolve,
    close: () => {
      closed = true
      for (const reject of [...rejectors]) reject(closedError())
      dns.cancel()
    },
  }
}

const timeoutError = (): Error =>
  Object.assign(new Error('the name servers do not respond'), { code: 'ETIMEOUT' })

class CanceledLookUp extends Error {
  override readonly name = 'CanceledLookUp'
}

const closedError = (): Error => new CanceledLookUp('the look-up was canceled')

/** True for the error of a look-up that `close` canceled. */
export const isCanceledLookUp = (error: unknown): boolean => error instanceof CanceledLookUp
