import type { Mistake } from '../../api/errors.ts'

/** Text of the e-mail that asks employees, with placeholders. */
export interface RequestTemplate {
  readonly subject: string
  readonly text: string
}

export const templateSubjectMaximum = 200
export const templateTextMaximum = 5000

/** Placeholder of the list of findings. It is required, in a line of its own. */
const findingsPlaceholder = 'findings'

/** Placeholders and their meaning. In a template they are in braces: `{name}`. */
export const templatePlaceholders = {
  name: 'First name of the employee, or the e-mail address without one',
  organization: 'Name of your organization',
  count: 'Number of findings',
  contact: 'Contact of the security team, as set under Protections',
  findings:
    'What is to do for each finding, with the accounts and links to change passwords. In a line of its own',
} as const
type TemplatePlaceholder = keyof typeof templatePlaceholders

/** The template of organizations that have not changed it. */
export const defaultRequestTemplate: RequestTemplate = {
  subject: '{organization} asks you to secure your accounts',
  text: [
    'Hello {name},',
    'Some accounts that you use at work need your attention:',
    '{findings}',
    'You can also open the web sites yourself instead of following links. Nobody needs your password: never send it to anyone.',
    'If you have questions, or are not sure whether this message is genuine, ask {contact}.',
  ].join('\n\n'),
}

const placeholder = /\{([^{}\n]*)\}/g
const names = Object.keys(templatePlaceholders)

/** Returns the mistakes of a template. */
export function templateMistakes({ subject, text }: RequestTemplate): Mistake[] {
  const mistakes: Mistake[] = []
  const add = (name: string, message: string) => {
    mistakes.push({ in: 'body', name, message })
  }
  const check = (member: string, value: string, allowed: readonly string[]) => {
    const used = [...value.matchAll(placeholder)].map(([, name = '']) => name)
    const [unknown] = used.filter((name) => !allowed.includes(name))
    if (unknown !== undefined)
      add(
        member,
        `must not have the placeholder {${unknown}}; it takes ${allowed.map((name) => `{${name}}`).join(', ')}`,
      )
    if (value.trim() === '') add(member, 'must not be empty')
    return used
  }
  check(
    'subject',
    subject,
    names.filter((name) => name !== findingsPlaceholder),
  )
  const found = check('text', text, names).filter((name) => name === findingsPlaceholder).length
  const lines = text.split('\n').filter(isFindingsLine).length
  if (found !== 1 || lines !== 1) add('text', 'must have {findings} exactly once, in a line of its own')
  return mistakes
}

/** Returns true for the line that the findings replace. */
export const isFindingsLine = (line: string): boolean => line.trim() === `{${findingsPlaceholder}}`

/** Puts values in the place of placeholders. A value is never read as a placeholder. */
export const fillTemplate = (
  text: string,
  values: Readonly<Record<Exclude<TemplatePlaceholder, 'findings'>, string>>,
): string =>
  text.replaceAll(placeholder, (all, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof typeof values] : all,
  )
