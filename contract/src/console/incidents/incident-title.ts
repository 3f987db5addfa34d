import type { Detection } from '../../records/detection.ts'
import type { Incident } from './incident.ts'

const typeWords: Readonly<Record<Detection['detectionType'], string>> = {
  PHISHING: 'Phishing',
  STOLEN_CREDENTIALS: 'Stolen password used',
  BLOCKED_URL: 'Blocked page opened',
  MALWARE_DELIVERY: 'Malware delivery',
  MALICIOUS_BROWSER_EXTENSION: 'Malicious extension',
}

/** Types in the order in which a title names them: the most harmful first. */
const typeOrder: readonly Detection['detectionType'][] = [
  'PHISHING',
  'MALWARE_DELIVERY',
  'STOLEN_CREDENTIALS',
  'MALICIOUS_BROWSER_EXTENSION',
  'BLOCKED_URL',
]

/**
 * Returns the title of an incident in words, such as `Phishing on example.net: 5 people`.
 *
 * @param person name of the employee of an incident of one person; undefined if not known
 */
export function incidentTitle(
  { detectionTypes, kind, site, people }: Pick<Incident, 'detectionTypes' | 'kind' | 'site' | 'people'>,
  person: string | undefined,
): string {
  const types = typeOrder.filter((type) => detectionTypes.includes(type)).map((type) => typeWords[type])
  const [first = 'Detection', ...others] = types
  const what = [first, ...others.map((words) => words.charAt(0).toLowerCase() + words.slice(1))].join(', ')
  const where = site === null ? what : `${what} on ${site}`
  return `${where}: ${kind === 'MANY_PEOPLE' ? `${people} people` : (person ?? '1 person')}`
}
