import { Resolver } from 'node:dns/promises'
import { boundedMap } from '../../../kernel/lib/bounded-map.ts'
import { systemLookups } from './system-lookups.ts'

/** Gives all addresses of a host name. @throws Error when it has none, or nobody answers */
export type ResolveHost = (name: string) => Promise<readonly string[]>

/** Looks up host names for connections. */
export interface HostResolver {
  readonly resolve: ResolveHost
  /** Cancels the look-ups under way; their callers get an error, and so does any later call. */
  close(): void
}

export interface HostResolverOptions {
  /** Addresses of the name servers, `127.0.0.1:5353`; those of the system unless given. */
  readonly servers?: readonly string[]
  /** Time that a name server has to answer, in milliseconds. */
  readonly answerWithinMs?: number
  /** Time after which a look-up is given up, whatever it waits for, in milliseconds. */
  readonly lookUpWithinMs?: number
  /** Monotonic time in milliseconds, for the cache. */
  readonly nowMs?: () => number
}

/** Less than an attempt has, so that the attempt can say what failed. */
const usualLookUpMs = 4500
/** An answer serves the connections that are opened at the same time; a failure, the attempts. */
const keptMs = { found: 2000, failed: 5000 }
const keptNames = 1000

/** The name servers say that there are no addresses, or there are no name servers: the system may know the name. */
const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'EREFUSED'])

interface Kept {
  readonly answer: Promise<readonly string[]>
  readonly untilMs: number
}

/**
 * Makes a resolver that asks the name servers first, without a thread and cancelable. Only for names that they do not
 * know does it ask the system (hosts file, mDNS, search domains). Concurrent calls for a name share one look-up.
 */
export function hostResolver(options: HostResolverOptions = {}): HostResolver {
  const { servers, answerWithinMs = 2000, lookUpWithinMs = usualLookUpMs } = options
  const { nowMs = () => performance.now() } = options
  const dns = new Resolver({ timeout: answerWithinMs, tries: 1 })
  if (servers) dns.setServers(servers)
  const underWay = new Map<string, Promise<readonly string[]>>()
  const kept = boundedMap<string, Kept>(keptNames)
  const giveUp = new Set<(error: Error) => void>()
  let closed = false

  const lookUp: ResolveHost = async (name) => {
    const [four, six] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const failure = [four, six].find(
      (answer) => answer.status === 'rejected' && !notInDns.has(String(answer.reason?.code)),
    )
    if (failure?.status === 'rejected' && !systemLookups.knows(name)) throw failure.reason
    if (closed) throw closedError()
    return systemLookups.lookUp(name, performance.now() + lookUpWithinMs)
  }

  /** Ends in time also where the look-up does not: nothing of an attempt stays in memory longer than that. */
  const inTime = (name: string): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        giveUp.delete(fail)
      }
      const fail = (error: Error) => {
        end()
        reject(error)
      }
      const timer = setTimeout(() => fail(timeoutError()), lookUpWithinMs)
      giveUp.add(fail)
      lookUp(name).then((addresses) => {
        end()
        resolve(addresses)
      }, fail)
    })

  const keep = (name: string, answer: Promise<readonly string[]>, ms: number): void => {
    underWay.delete(name)
    kept.set(name, { answer, untilMs: nowMs() + ms })
  }

  const resolve = (name: string): Promise<readonly string[]> => {
    if (closed) return Promise.reject(closedError())
    const known = kept.get(name)
    if (known && nowMs() < known.untilMs) return known.answer
    const shared = underWay.get(name)
    if (shared) return shared
    const answer = inTime(name)
    underWay.set(name, answer)
    answer.then(
      () => keep(name, answer, keptMs.found),
      () => keep(name, answer, keptMs.failed),
    )
    return answer
  }

  return {
    resolve,
    close: () => {
      closed = true
      for (const fail of [...giveUp]) fail(closedError())
      dns.cancel()
    },
  }
}

const timeoutError = (): Error =>
  Object.assign(new Error('the name servers do not answer'), { code: 'ETIMEOUT' })

class CanceledLookUp extends Error {
  override readonly name = 'CanceledLookUp'
}

const closedError = (): Error => new CanceledLookUp('the look-up was canceled')

/** True for the error of a look-up that `close` has ended. */
export const isCanceledLookUp = (error: unknown): boolean => error instanceof CanceledLookUp
