import { recordsMemberDefault } from '@muster/contract/api/api'
import { type RemoteAnswer, RemoteError, type RemoteServer } from './remote-server.ts'

/** Page of a list of another server. */
export interface RemotePage {
  readonly records: readonly unknown[]
  /** Token of the next page; null for the last page. */
  readonly nextToken: string | null
}

/** Refused request. Status 400 with a token means that the token is no longer valid. */
export class RefusedError extends RemoteError {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const limits = [1000, 100] as const

/** Reads pages of lists. The page format of the server is detected once. */
export function remotePages(server: RemoteServer, recordsMember: string | undefined) {
  let limit: number = limits[0]
  let member = recordsMember

  /** @param path with filters, without paging: `/v1/employees?mergedIntoId=…` */
  async function page(path: string, nextToken: string | null): Promise<RemotePage> {
    let answer = await server.get(withPaging(path, limit, nextToken))
    if (answer.status === 400 && limit === limits[0]) {
      const smaller = await server.get(withPaging(path, limits[1], nextToken))
      if (smaller.status === 200) limit = limits[1]
      answer = smaller
    }
    if (answer.status !== 200) throw refused(path, answer)
    const body = answer.body
    if (typeof body !== 'object' || body === null) throw unexpected(path, 'is not an object')
    member ??= findMember(body, path)
    const records = (body as Record<string, unknown>)[member]
    if (!Array.isArray(records)) {
      throw unexpected(
        path,
        `has no list ${JSON.stringify(member)}, but ${Object.keys(body)
          .map((name) => JSON.stringify(name))
          .join(', ')}. Name the right member with --records-member.`,
      )
    }
    return { records, nextToken: tokenOf(body, path) }
  }

  return { page }
}

/** Returns the member with the records: the documented one, the common alternative `result`, or the only list. */
function findMember(body: object, path: string): string {
  const lists = Object.entries(body).flatMap(([name, value]) => (Array.isArray(value) ? [name] : []))
  const known =
    [recordsMemberDefault, 'result'].find((name) => lists.includes(name)) ??
    (lists.length === 1 ? lists[0] : undefined)
  if (known !== undefined) return known
  throw unexpected(
    path,
    `does not show which member contains its records (${Object.keys(body).join(', ')}). Name the member with --records-member.`,
  )
}

function tokenOf(body: object, path: string): string | null {
  const paging =
    'paging' in body ? (body.paging as { moreResults?: unknown; nextToken?: unknown } | null) : null
  if (typeof paging?.moreResults !== 'boolean') throw unexpected(path, 'has no paging.moreResults')
  if (!paging.moreResults) return null
  if (typeof paging.nextToken === 'string' && paging.nextToken !== '') return paging.nextToken
  throw unexpected(path, 'has more results, but no paging.nextToken')
}

function withPaging(path: string, limit: number, nextToken: string | null): string {
  const token = nextToken === null ? '' : `&nextToken=${encodeURIComponent(nextToken)}`
  return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${token}`
}

const unexpected = (path: string, problem: string): RemoteError =>
  new RemoteError(`The response to ${path} ${problem.replace(/\.$/, '')}.`)

function refused(path: string, { status, body }: RemoteAnswer): RefusedError {
  const { detail, message } = (body ?? {}) as { detail?: unknown; message?: unknown }
  const explanation = [detail, message].find((text) => typeof text === 'string')
  const hint = status === 401 ? ' Check that --key is right and still active.' : ''
  return new RefusedError(
    status,
    `${path} was refused with status ${status}${explanation ? `: ${String(explanation).replace(/\.$/, '')}` : ''}.${hint}`,
  )
}
