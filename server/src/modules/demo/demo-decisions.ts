import type { App, AppUpdate } from '@muster/contract/app'
import { type Controls, defaultControls } from '@muster/contract/controls'
import type { Detection, DetectionUpdate } from '@muster/contract/detection'
import type { Employee } from '@muster/contract/employee'
import type { SeededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { companyDomain } from './workforce/company.ts'
import { sampleExtensions } from './workforce/extension-samples.ts'
import { type Audience, usedProducts } from './workforce/used-products.ts'

/** Patterns that browsers must not open. */
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

const extensionNamed = (name: string): string =>
  sampleExtensions.find((sample) => sample.name === name)?.extensionId ?? ''

const badExtensions: Controls['badExtensions'] = [
  { extensionId: extensionNamed('Free Private VPN'), risk: 'HIGH' },
  { extensionId: extensionNamed('PDF to Everything'), risk: 'MEDIUM' },
  { extensionId: extensionNamed('Secure Shield Search'), risk: 'HIGH' },
  { extensionId: extensionNamed('Search by Squirrel'), risk: 'LOW' },
]

/** What the administrators begin with: everything is watched, nothing is in anybody's way. */
export const watchfulControls: Controls = {
  ...defaultControls,
  restrictedWords: ['northgate'],
  contact: `security@${companyDomain}`,
  badExtensions,
}

/** What they decide after some weeks: employees are warned, and the worst is blocked. */
export const strictControls: Controls = {
  ...watchfulControls,
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
  blockedExtensionIds: [extensionNamed('Secure Shield Search')],
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
const remarks = [
  'Contract ends in March.',
  'Ask Legal before sharing customer data.',
  'To be replaced next year.',
]

/** What the administrators decide about an app that they see for the first time; often nothing yet. */
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
  const core = reach > 0.4
  const department = audience === 'Everyone' || audience === 'GenAI' ? 'Operations' : audience
  const owners = employees.filter((person) => person.licensed && person.department === department)
  const sensitivityLevel = sensitive.has(audience)
    ? 'HIGH'
    : random.pick(['HIGH', 'MEDIUM', 'MEDIUM', 'LOW', null] as const)
  return {
    update: {
      approvalStatus: core
        ? 'APPROVED'
        : random.pick(['APPROVED', 'UNDER_REVIEW', 'NOT_APPROVED', null, null] as const),
      sensitivityLevel,
      ...(owners.length > 0 && random.chance(core ? 0.9 : 0.4) ? { ownerId: random.pick(owners).id } : {}),
      ...(random.chance(0.15) ? { notes: random.pick(remarks) } : {}),
    },
    labels: random.chance(0.9) ? (labelsOf[audience] ?? []) : [],
  }
}

/** What becomes of a detection when somebody looks at it; some wait. */
export function detectionDecision(
  random: SeededRandom,
  { detectionType }: Detection,
): DetectionUpdate | undefined {
  if (!random.chance(0.7)) return undefined
  const harmless = detectionType === 'BLOCKED_URL'
  return {
    classification: random.pick(
      harmless
        ? (['BENIGN_TRUE_POSITIVE', 'TRUE_POSITIVE', 'FALSE_POSITIVE'] as const)
        : (['TRUE_POSITIVE', 'TRUE_POSITIVE', 'BENIGN_TRUE_POSITIVE', 'FALSE_POSITIVE'] as const),
    ),
    archived: random.chance(0.8),
  }
}
