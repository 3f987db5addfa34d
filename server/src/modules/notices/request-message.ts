import {
  defaultRequestTemplate,
  fillTemplate,
  isFindingsLine,
  type RequestTemplate,
} from '@muster/contract/console/work/request-template'
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
  /** Template at the time of the request; the default for messages of an older version. */
  readonly template?: RequestTemplate
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

/**
 * Message that asks an employee to resolve findings, in plain words.
 *
 * @param context name of the organization, and address of the employee
 */
export function findingsRequestMessage(
  { name, contact, findings, template = defaultRequestTemplate }: FindingsRequestFacts,
  { organization, address }: { readonly organization: string; readonly address: string },
): Message {
  const values = {
    name: name ?? address,
    organization,
    count: String(findings.length),
    contact: contact ?? 'your security team',
  }
  const lines = template.text.split('\n')
  const at = lines.findIndex(isFindingsLine)
  const byType = Map.groupBy(findings, ({ type }) => type)
  const types = (Object.keys(findingWords) as FindingType[]).filter((type) => byType.has(type))
  const paragraphs = (some: readonly string[]) =>
    fillTemplate(some.join('\n'), values)
      .split(/\n[ \t]*\n/)
      .map((text) => text.trim())
      .filter(Boolean)
  return {
    subject: fillTemplate(template.subject, values).replaceAll(/\s+/g, ' ').trim(),
    parts: [
      ...paragraphs(lines.slice(0, at)),
      ...types.flatMap((type) => partsOf(type, byType.get(type) ?? [])),
      ...paragraphs(lines.slice(at + 1)),
    ],
  }
}
