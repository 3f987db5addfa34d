import type { App, AppUpdate } from '@muster/contract/records/app'
import { type Controls, defaultControls } from '@muster/contract/records/controls'
import type { Detection, DetectionUpdate } from '@muster/contract/records/detection'
import type { Employee } from '@muster/contract/records/employee'
import type { SeededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { companyDomain } from './workforce/company.ts'
import { sampleExtensions } from './workforce/extension-samples.ts'
import { type Audience, usedProducts } from './workforce/used-products.ts'

/** Blocked URL patterns. */
export const demoBlockedPatterns: readonly string[] = [
  '*.free-share-box.example',
  'crypto-doubler.example',
  '*.login-verify-account.example',
  'torrent-harbour.example',
  'https://pastes.example/raw/*',
  '*.casino-night.example',
  'download-codec-now.example/setup*',
  '*.bad-ads.example',
  'sso-northgate.example',
  'northgate-intranet.example',
  '*.parcel-fee.example',
  'invoice-overdue.example/view*',
]

const extensionIdOf = (name: string): string =>
  sampleExtensions.find((sample) => sample.name === name)?.extensionId ?? ''

const badExtensions: Controls['badExtensions'] = [
  { extensionId: extensionIdOf('Free Private VPN'), risk: 'HIGH' },
  { extensionId: extensionIdOf('PDF to Everything'), risk: 'MEDIUM' },
  { extensionId: extensionIdOf('Secure Shield Search'), risk: 'HIGH' },
  { extensionId: extensionIdOf('Search by Squirrel'), risk: 'LOW' },
]

/** Controls at the start: everything is monitored, nothing is blocked. */
export const initialControls: Controls = {
  ...defaultControls,
  restrictedWords: ['northgate'],
  contact: `security@${companyDomain}`,
  badExtensions,
}

/** Controls after some weeks: employees are warned, and the worst is blocked. */
export const laterControls: Controls = {
  ...initialControls,
  protectedPasswords: { mode: 'WARN', rules: [] },
  clonedLoginPages: { mode: 'WARN', rules: [{ groups: ['Finance'], mode: 'BLOCK' }] },
  phishingTools: { mode: 'BLOCK', rules: [] },
  maliciousCopyPaste: { mode: 'WARN', rules: [{ groups: ['Engineers'], mode: 'BLOCK' }] },
  banners: [
    {
      id: 'genai',
      labels: ['GenAI'],
      mode: 'ACKNOWLEDGE',
      title: 'Mind what you paste',
      subtext: 'No customer data and no source code, please.',
      buttonText: 'I understand',
    },
    {
      id: 'not-approved',
      approvalStatuses: ['NOT_APPROVED'],
      mode: 'REASON',
      title: 'This app is not approved',
      subtext: 'Say what you need it for, or ask for another.',
      buttonText: null,
    },
  ],
  blockedExtensionIds: [extensionIdOf('Secure Shield Search')],
}

const labelsOf: Readonly<Partial<Record<Audience, readonly string[]>>> = {
  Everyone: ['Core'],
  GenAI: ['GenAI'],
  Engineering: ['Engineering'],
  Sales: ['Customer data'],
  Marketing: ['Public'],
  Finance: ['Finance', 'Regulated'],
  People: ['Personal data', 'Regulated'],
  Support: ['Customer data'],
}
const sensitive: ReadonlySet<Audience> = new Set(['Finance', 'People'])
const sampleNotes = [
  'Contract ends in March.',
  'Ask Legal before sharing customer data.',
  'To be replaced next year.',
]

/** Returns the decision about a new app; often none yet. */
export function appDecision(
  random: SeededRandom,
  { type }: App,
  employees: readonly Employee[],
): { readonly update: AppUpdate; readonly labels: readonly string[] } {
  const known = usedProducts.find(({ appType }) => appType === type)
  if (!known) {
    const approvalStatus = random.pick(['UNDER_REVIEW', 'NOT_APPROVED', null, null, null] as const)
    return { update: approvalStatus === null ? {} : { approvalStatus }, labels: [] }
  }
  const { audience, reach } = known
  const isCore = reach > 0.4
  const department = audience === 'Everyone' || audience === 'GenAI' ? 'Operations' : audience
  const owners = employees.filter((person) => person.licensed && person.department === department)
  const sensitivityLevel = sensitive.has(audience)
    ? 'HIGH'
    : random.pick(['HIGH', 'MEDIUM', 'MEDIUM', 'LOW', null] as const)
  return {
    update: {
      approvalStatus: isCore
        ? 'APPROVED'
        : random.pick(['APPROVED', 'UNDER_REVIEW', 'NOT_APPROVED', null, null] as const),
      sensitivityLevel,
      ...(owners.length > 0 && random.chance(isCore ? 0.9 : 0.4) ? { ownerId: random.pick(owners).id } : {}),
      ...(random.chance(0.15) ? { notes: random.pick(sampleNotes) } : {}),
    },
    labels: random.chance(0.9) ? (labelsOf[audience] ?? []) : [],
  }
}

/** Returns the decision about a detection; undefined if it stays open. */
export function detectionDecision(
  random: SeededRandom,
  { detectionType }: Detection,
): DetectionUpdate | undefined {
  if (!random.chance(0.7)) return undefined
  const isHarmless = detectionType === 'BLOCKED_URL'
  return {
    classification: random.pick(
      isHarmless
        ? (['BENIGN_TRUE_POSITIVE', 'TRUE_POSITIVE', 'FALSE_POSITIVE'] as const)
        : (['TRUE_POSITIVE', 'TRUE_POSITIVE', 'BENIGN_TRUE_POSITIVE', 'FALSE_POSITIVE'] as const),
    ),
    archived: random.chance(0.8),
  }
}
