import type { Detection } from '@muster/contract/records/detection'
import { pageHost } from './page-host.ts'

type Facts = Pick<Detection, 'detectionType' | 'response' | 'url'>

const what: Readonly<Record<Detection['detectionType'], (who: string, where: string) => string>> = {
  PHISHING: (who, where) => `A page${where} tried to steal the credentials of ${who}.`,
  STOLEN_CREDENTIALS: (who, where) =>
    `${who} signed in${where} with a password that is in a feed of stolen credentials.`,
  BLOCKED_URL: (who, where) => `${who} opened an address${where} that the organization blocks.`,
  MALWARE_DELIVERY: (who, where) => `A page${where} put a command on the clipboard for ${who} to run.`,
  MALICIOUS_BROWSER_EXTENSION: (who) => `A browser of ${who} has an extension that is known to be malicious.`,
}

const then: Readonly<Record<Detection['response'], string>> = {
  MONITORED: 'It was only recorded.',
  EMPLOYEE_WARNED: 'They were warned and did not continue.',
  EMPLOYEE_IGNORED_WARNING: 'They were warned but continued anyway.',
  BLOCKED: 'It was blocked.',
}

/** Describes a detection in two sentences. */
export function detectionStory({ detectionType, response, url }: Facts, who: string): string {
  const host = pageHost(url)
  return `${what[detectionType](who, host === '' ? '' : ` at ${host}`)} ${then[response]}`
}
