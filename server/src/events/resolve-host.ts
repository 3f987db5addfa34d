import { lookup, Resolver } from 'node:dns/promises'

/** Gives all addresses of a host name. @throws Error when it has none, or nobody answers */
export type ResolveHost = (name: string) => Promise<readonly string[]>

const answerWithinMs = 2000

/** The answer was that there are none, or there is no name server at all: the machine itself may know the name. */
const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'EREFUSED'])

/**
 * Asks the name servers directly. The system's own look-up (hosts file, search domains) comes only second, because it
 * holds one of the process's few threads: if a name server that is dead could take them all, one endpoint would delay
 * the others.
 */
export function hostResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: answerWithinMs, tries: 1 })
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const failure = [four, six].find(
      (answer) => answer.status === 'rejected' && !notInDns.has(String(answer.reason?.code)),
    )
    if (failure?.status === 'rejected') throw failure.reason
    return (await lookup(name, { all: true })).map(({ address }) => address)
  }
}
