import { type Static, Type } from 'typebox'
import { bannerModes, extensionRisks, protectionModes } from './agent-event.ts'
import { approvalStatuses, sensitivityLevels } from './app.ts'
import { closed, count, exact, flag, id, line, lines, listOf, lookup, nullable, oneOf } from './fields.ts'

/**
 * The controls of an organization (domain contract, section 7): what its administrators decide that
 * browsers do. Blocked URLs and stolen credentials are resources of their own. From this document, the
 * employee and the apps the server makes the policy of each browser.
 */

const controlModes = ['OFF', ...protectionModes] as const
export type ControlMode = (typeof controlModes)[number]

const mode = (description: string) => oneOf(controlModes, description, 'MONITOR')

/** Whom a rule is for: all that it names must fit; what it does not name fits everybody. */
const scope = {
  employeeIds: Type.Optional(listOf(id('An employee.'), 'Only these employees.', [], 1000)),
  groups: Type.Optional(
    listOf(lookup('A group.', 'Engineers', 128, 1), 'Only employees of these groups.', ['Engineers'], 100),
  ),
}

/** A protection: the rules in order, the first that fits decides; else the mode. */
const protection = (description: string) =>
  closed(
    {
      mode: mode('What is done where no rule fits.'),
      rules: listOf(
        closed(
          {
            ...scope,
            appTypes: Type.Optional(
              listOf(
                exact('An app as the catalog names it.', 'OKTA', 64, 1),
                'Only for these apps.',
                ['OKTA'],
                200,
              ),
            ),
            mode: mode('What is done.'),
          },
          { description: 'A rule.' },
        ),
        'The rules; the first that fits decides.',
        [],
        200,
      ),
    },
    { description },
  )

export const Banner = closed(
  {
    id: exact('Names the banner in reports.', 'genai', 64, 1),
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
    mode: oneOf(bannerModes, 'What the banner asks for.', 'INFORM'),
    title: line('The title.', 'This app is not approved', 200, 1),
    subtext: lines('The text below it.', 'Use the approved one instead.', 1000),
    buttonText: nullable(line('What the button says; null for the usual words.', 'I understand', 60, 1)),
  },
  { description: 'A banner on apps; the first banner that fits an app is shown on it.' },
)
export type Banner = Static<typeof Banner>

export const Controls = closed(
  {
    protectedPasswords: protection('The password of a protected app typed on another domain.'),
    protectedAppTypes: nullable(
      listOf(
        exact('An app as the catalog names it.', 'OKTA', 64, 1),
        'The apps whose passwords are protected; null for all identity providers of the catalog.',
        ['OKTA'],
        500,
      ),
    ),
    clonedLoginPages: protection('A page that imitates the login page of an identity provider.'),
    phishingTools: protection('A page that carries the marks of a phishing tool.'),
    maliciousCopyPaste: protection('A page that puts a shell command on the clipboard.'),
    banners: listOf(Banner, 'The banners, in order.', [], 200),
    blockedExtensionIds: listOf(
      exact('Id of an extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
      'Extensions that are disabled.',
      [],
      10_000,
    ),
    badExtensions: listOf(
      closed(
        {
          extensionId: exact('Id of an extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
          risk: oneOf(extensionRisks, 'How dangerous it is.', 'HIGH'),
        },
        { description: 'A malicious extension.' },
      ),
      'The bad list: extensions that are detections.',
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
      line('Whom employees may ask; shown on the block page.', 'security@example.com', 254, 1),
    ),
    autoCreateManagedEmployees: flag(
      'Whether managed enrollment creates and licenses employees that are not known.',
    ),
    thresholds: closed(
      {
        sharedAccountDays: count('Within how many days two employees make an account a shared one.', 90),
        unusedAppDays: count('After how many days an app is unused.', 90),
        passwordLoginsWithoutMfa: count(
          'After how many password logins without a second step MFA counts as not registered.',
          5,
        ),
        typedLogins: count('How many of the last five password logins typed by hand open a finding.', 4),
      },
      { description: 'Thresholds of findings.' },
    ),
  },
  { $id: 'Controls', description: 'The controls of an organization.' },
)
export type Controls = Static<typeof Controls>

/** What holds until an administrator decides otherwise. */
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
