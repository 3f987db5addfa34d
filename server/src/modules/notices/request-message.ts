import { type FindingType, findingWords } from '@muster/contract/records/finding-words'
import type { Message, MessagePart } from './notice-layout.ts'

/** A finding in a request to an employee. */
export interface RequestedFinding {
  readonly type: FindingType
  /** Name of the app; null if the finding is about none. */
  readonly app: string | null
  /** Address or user name of the account; null if the finding is about none. */
  readonly account: string | null
  /** Page where the password is changed; null if none is known, or if the password need not be changed. */
  readonly passwordUrl: string | null
}

/** Data of a request to an employee. */
export interface FindingsRequestFacts {
  readonly name: string | null
  /** Contact of the security team for questions; null if the organization has none. */
  readonly contact: string | null
  readonly findings: readonly RequestedFinding[]
}

const accountText = ({ app, account }: RequestedFinding): string[] => {
  const texts = [app, account].filter((text) => text !== null)
  return texts.length === 0 ? [] : [texts.join(', ')]
}

/** Returns the parts about the findings of a type: what to do, the accounts, and the pages where it is done. */
function partsOf(type: FindingType, findings: readonly RequestedFinding[]): MessagePart[] {
  const accounts = findings.flatMap(accountText)
  const pages = new Map(
    findings.flatMap(({ app, passwordUrl }) =>
      passwordUrl === null ? [] : [[passwordUrl, app ?? 'the app'] as const],
    ),
  )
  return [
    findingWords[type].request,
    ...(accounts.length > 0 ? [{ list: accounts }] : []),
    ...[...pages].map(([link, app]) => ({ link, label: `Change the password of ${app}` })),
  ]
}

/** Message that asks an employee to resolve findings, in plain words. */
export function findingsRequestMessage(
  { name, contact, findings }: FindingsRequestFacts,
  { organization }: { readonly organization: string },
): Message {
  const byType = Map.groupBy(findings, ({ type }) => type)
  const types = (Object.keys(findingWords) as FindingType[]).filter((type) => byType.has(type))
  return {
    subject: `${organization} asks you to secure your accounts`,
    parts: [
      name === null ? 'Hello,' : `Hello ${name},`,
      `Some accounts that you use at work need your attention:`,
      ...types.flatMap((type) => partsOf(type, byType.get(type) ?? [])),
      `You can also open the web sites yourself instead of following links. Nobody needs your password: never send it to anyone.`,
      contact === null
        ? `If you have questions, or are not sure whether this message is genuine, ask your security team.`
        : `If you have questions, or are not sure whether this message is genuine, ask: ${contact}`,
    ],
  }
}
