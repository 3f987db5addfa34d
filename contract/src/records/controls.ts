import { type Static, Type } from 'typebox'
import { bannerModes, extensionRisks, protectionModes } from '../agent/agent-event.ts'
import {
  closed,
  count,
  exact,
  flag,
  id,
  line,
  lines,
  listOf,
  lookup,
  nullable,
  oneOf,
} from '../api/fields.ts'
import { approvalStatuses, sensitivityLevels } from './app.ts'

/**
 * The controls of an organization (domain contract, section 7). Blocked URLs and stolen credentials are separate
 * resources. The server computes the policy of each browser from this document, the employee and the apps.
 */

const controlModes = ['OFF', ...protectionModes] as const
export type ControlMode = (typeof controlModes)[number]

const mode = (description: string) => oneOf(controlModes, description, 'MONITOR')

/** Scope of a rule. All given members must match; an omitted member does not restrict the scope. */
const scope = {
  employeeIds: Type.Optional(listOf(id('An employee.'), 'Only these employees.', [], 1000)),
  groups: Type.Optional(
    listOf(lookup('A group.', 'Engineers', 128, 1), 'Only employees of these groups.', ['Engineers'], 100),
  ),
}

/** A protection. The first matching rule applies; if none matches, the mode. */
const protection = (description: string) =>
  closed(
    {
      mode: mode('Mode if no rule matches.'),
      rules: listOf(
        closed(
          {
            ...scope,
            appTypes: Type.Optional(
              listOf(
                exact('An app type of the catalog.', 'OKTA', 64, 1),
                'Only for these apps.',
                ['OKTA'],
                200,
              ),
            ),
            mode: mode('Mode of the rule.'),
          },
          { description: 'A rule.' },
        ),
        'The rules; the first match applies.',
        [],
        200,
      ),
    },
    { description },
  )

export const Banner = closed(
  {
    id: exact('ID of the banner in events.', 'genai', 64, 1),
    ...scope,
    appTypes: Type.Optional(
      listOf(exact('An app of the catalog.', 'CHATGPT', 64, 1), 'Only on these apps.', ['CHATGPT'], 500),
    ),
    approvalStatuses: Type.Optional(
      listOf(
        oneOf(approvalStatuses, 'A status.', 'NOT_APPROVED'),
        'Only on apps of these approval statuses.',
        [],
        3,
      ),
    ),
    sensitivityLevels: Type.Optional(
      listOf(
        oneOf(sensitivityLevels, 'A level.', 'HIGH'),
        'Only on apps of these sensitivity levels.',
        [],
        3,
      ),
    ),
    labels: Type.Optional(
      listOf(
        lookup('A label.', 'GenAI', 64, 1),
        'Only on apps that carry one of these labels.',
        ['GenAI'],
        50,
      ),
    ),
    mode: oneOf(bannerModes, 'Type of the banner.', 'INFORM'),
    title: line('The title.', 'This app is not approved', 200, 1),
    subtext: lines('The text below it.', 'Use the approved one instead.', 1000),
    buttonText: nullable(line('Label of the button; null for the default.', 'I understand', 60, 1)),
  },
  { description: 'A banner on apps; the first banner that matches an app is shown.' },
)
export type Banner = Static<typeof Banner>

export const Controls = closed(
  {
    protectedPasswords: protection('The password of a protected app typed on another domain.'),
    protectedAppTypes: nullable(
      listOf(
        exact('An app type of the catalog.', 'OKTA', 64, 1),
        'Apps whose passwords are protected; null for all identity providers in the catalog.',
        ['OKTA'],
        500,
      ),
    ),
    clonedLoginPages: protection('A page that imitates the login page of an identity provider.'),
    phishingTools: protection('A page that shows signs of a phishing tool.'),
    maliciousCopyPaste: protection('A page that copies a shell command to the clipboard.'),
    banners: listOf(Banner, 'The banners, in order.', [], 200),
    blockedExtensionIds: listOf(
      exact('ID of an extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
      'Extensions that are disabled.',
      [],
      10_000,
    ),
    badExtensions: listOf(
      closed(
        {
          extensionId: exact('ID of an extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
          risk: oneOf(extensionRisks, 'Risk of the extension.', 'HIGH'),
        },
        { description: 'A malicious extension.' },
      ),
      'The bad list: extensions that raise detections.',
      [],
      10_000,
    ),
    restrictedWords: listOf(
      line('A word.', 'example', 64, 3),
      'Words that make a password weak.',
      ['example'],
      1000,
    ),
    contact: nullable(
      line('Contact for employees, shown on the block page.', 'security@example.com', 254, 1),
    ),
    autoCreateManagedEmployees: flag('True if managed enrollment creates and licenses unknown employees.'),
    thresholds: closed(
      {
        sharedAccountDays: count('Days within which use by two employees makes an account shared.', 90),
        unusedAppDays: count('Days without use after which an app counts as unused.', 90),
        passwordLoginsWithoutMfa: count(
          'Number of consecutive password logins without a second step after which MFA counts as not registered.',
          5,
        ),
        typedLogins: count(
          'Number of manually typed passwords among the last five logins that opens a finding.',
          4,
        ),
      },
      { description: 'Finding thresholds.' },
    ),
  },
  { $id: 'Controls', description: 'The controls of an organization.' },
)
export type Controls = Static<typeof Controls>

/** Default controls. */
export const defaultControls: Controls = {
  protectedPasswords: { mode: 'MONITOR', rules: [] },
  protectedAppTypes: null,
  clonedLoginPages: { mode: 'MONITOR', rules: [] },
  phishingTools: { mode: 'MONITOR', rules: [] },
  maliciousCopyPaste: { mode: 'MONITOR', rules: [] },
  banners: [],
  blockedExtensionIds: [],
  badExtensions: [],
  restrictedWords: [],
  contact: null,
  autoCreateManagedEmployees: true,
  thresholds: { sharedAccountDays: 90, unusedAppDays: 90, passwordLoginsWithoutMfa: 5, typedLogins: 4 },
}
