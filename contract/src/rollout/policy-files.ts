import { type PlistValue, plistOf } from './property-list.ts'
import { registryFile } from './registry-file.ts'

/** Input of the policy files of managed browsers. */
export interface RolloutPolicy {
  /** Origin of the server. */
  readonly serverUrl: string
  /** Enrollment token of the organization. */
  readonly enrolmentToken: string
  readonly chromiumId: string
  readonly firefoxId: string
  /** Update URL or XPI address for a forced installation; omitted if the agent is installed in another way. */
  readonly chromiumUpdateUrl?: string | undefined
  readonly firefoxInstallUrl?: string | undefined
  /** Returns a new UUID, for the payloads of configuration profiles. */
  readonly makeUuid: () => string
}

/** File for device management. */
export interface PolicyFile {
  readonly id: string
  /** Browsers and platform. */
  readonly title: string
  readonly name: string
  readonly type: string
  /** Place of the file. */
  readonly use: string
  readonly content: string
}

/** Chromium browsers with policies of their own: registry key, preference domain, and folder on Linux. */
const chromiumBrowsers = [
  { name: 'Chrome', key: 'Google\\Chrome', domain: 'com.google.Chrome', folder: '/etc/opt/chrome' },
  { name: 'Edge', key: 'Microsoft\\Edge', domain: 'com.microsoft.Edge', folder: '/etc/opt/edge' },
] as const

/** Returns the settings of the agent, the same for each browser (domain contract, section 1). */
const agentSettings = ({ serverUrl, enrolmentToken }: RolloutPolicy) => ({ serverUrl, enrolmentToken })

const forcedChromium = (updateUrl: string | undefined) =>
  updateUrl === undefined ? undefined : { installation_mode: 'force_installed', update_url: updateUrl }
const forcedFirefox = (installUrl: string | undefined) =>
  installUrl === undefined ? undefined : { installation_mode: 'force_installed', install_url: installUrl }

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns the policy files for device management, all from the same settings. */
export function policyFiles(policy: RolloutPolicy): PolicyFile[] {
  return [
    ...chromiumBrowsers.map((browser) => windowsFile(policy, browser)),
    ...chromiumBrowsers.map((browser) => intuneFile(policy, browser)),
    ...chromiumBrowsers.map((browser) => macFile(policy, browser)),
    linuxFile(policy),
    googleAdminFile(policy),
    firefoxFile(policy),
    firefoxMacFile(policy),
  ]
}

type ChromiumBrowser = (typeof chromiumBrowsers)[number]

function windowsFile(policy: RolloutPolicy, { name, key }: ChromiumBrowser): PolicyFile {
  const root = `HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\${key}`
  const { chromiumId } = policy
  const forced = forcedChromium(policy.chromiumUpdateUrl)
  return {
    id: `windows-${name.toLowerCase()}`,
    title: `${name} on Windows`,
    name: `muster-${name.toLowerCase()}.reg`,
    type: 'text/plain',
    use: 'Import it on a device, or set the same values by Group Policy.',
    content: registryFile([
      { key: `${root}\\3rdparty\\extensions\\${chromiumId}\\policy`, values: agentSettings(policy) },
      ...(forced ? [{ key: `${root}\\ExtensionSettings\\${chromiumId}`, values: forced }] : []),
    ]),
  }
}

/** Name of an ingested template, which is part of the addresses of its settings. */
const admxApp = 'Muster'

function intuneFile(policy: RolloutPolicy, { name, key }: ChromiumBrowser): PolicyFile {
  const area = `${admxApp}${name}`
  const base = './Device/Vendor/MSFT/Policy'
  const setting = (displayName: string, omaUri: string, value: string) => ({
    '@odata.type': '#microsoft.graph.omaSettingString',
    displayName,
    omaUri,
    value,
  })
  const settings = Object.entries(agentSettings(policy))
  return {
    id: `intune-${name.toLowerCase()}`,
    title: `${name} with Intune`,
    name: `muster-intune-${name.toLowerCase()}.json`,
    type: 'application/json',
    use: 'Create the profile with Microsoft Graph: POST /deviceManagement/deviceConfigurations.',
    content: jsonText({
      '@odata.type': '#microsoft.graph.windows10CustomConfiguration',
      displayName: `Muster agent for ${name}`,
      omaSettings: [
        setting(
          'Template',
          `${base}/ConfigOperations/ADMXInstall/${area}/Policy/${area}Admx`,
          admxOf(
            area,
            `Software\\Policies\\${key}\\3rdparty\\extensions\\${policy.chromiumId}\\policy`,
            settings,
          ),
        ),
        ...settings.map(([member, value]) =>
          setting(
            member,
            `${base}/Config/${area}~Policy~${area}/${member}`,
            `<enabled/><data id="${member}" value="${escapeXml(value)}"/>`,
          ),
        ),
      ],
    }),
  }
}

/** Returns an administrative template with one text setting for each member. */
function admxOf(area: string, key: string, settings: readonly (readonly [string, string])[]): string {
  const policies = settings.map(
    ([
      member,
    ]) => `    <policy name="${member}" class="Machine" displayName="${member}" key="${escapeXml(key)}" presentation="$(presentation.${member})">
      <parentCategory ref="${area}"/>
      <supportedOn ref="${area}_Supported"/>
      <elements><text id="${member}" valueName="${member}" maxLength="2048" required="true"/></elements>
    </policy>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions revision="1.0" schemaVersion="1.0" xmlns="http://www.microsoft.com/GroupPolicy/PolicyDefinitions">
  <policyNamespaces><target prefix="${area.toLowerCase()}" namespace="Muster.Policies.${area}"/></policyNamespaces>
  <resources minRequiredRevision="1.0"/>
  <supportedOn><definitions><definition name="${area}_Supported" displayName="Any version"/></definitions></supportedOn>
  <categories><category name="${area}" displayName="${area}"/></categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function macFile(policy: RolloutPolicy, { name, domain }: ChromiumBrowser): PolicyFile {
  const { chromiumId } = policy
  const forced = forcedChromium(policy.chromiumUpdateUrl)
  return {
    id: `mac-${name.toLowerCase()}`,
    title: `${name} on macOS`,
    name: `muster-${name.toLowerCase()}.mobileconfig`,
    type: 'application/x-apple-aspen-config',
    use: 'Upload it to your MDM, such as Jamf, Kandji or Intune.',
    content: profileOf(policy, name, [
      { domain: `${domain}.extensions.${chromiumId}`, settings: agentSettings(policy) },
      ...(forced ? [{ domain, settings: { ExtensionSettings: { [chromiumId]: forced } } }] : []),
    ]),
  }
}

function linuxFile(policy: RolloutPolicy): PolicyFile {
  const { chromiumId } = policy
  const forced = forcedChromium(policy.chromiumUpdateUrl)
  const folders = chromiumBrowsers.map(({ folder }) => `${folder}/policies/managed/`)
  return {
    id: 'linux',
    title: 'Chrome, Edge and Chromium on Linux',
    name: 'muster.json',
    type: 'application/json',
    use: `Save it in ${[...folders, '/etc/chromium/policies/managed/'].join(', ')}.`,
    content: jsonText({
      ...(forced && { ExtensionSettings: { [chromiumId]: forced } }),
      '3rdparty': { extensions: { [chromiumId]: agentSettings(policy) } },
    }),
  }
}

function googleAdminFile(policy: RolloutPolicy): PolicyFile {
  const values = Object.entries(agentSettings(policy)).map(([member, Value]) => [member, { Value }])
  return {
    id: 'google-admin',
    title: 'Chrome with the Google Admin console',
    name: 'muster-google-admin.json',
    type: 'application/json',
    use: 'Paste it under Apps & extensions, in “Policy for extensions” of the agent.',
    content: jsonText(Object.fromEntries(values)),
  }
}

/** Returns the policies of Firefox, the same on each platform. */
const firefoxPolicies = (policy: RolloutPolicy) => {
  const { firefoxId } = policy
  const forced = forcedFirefox(policy.firefoxInstallUrl)
  return {
    ...(forced && { ExtensionSettings: { [firefoxId]: forced } }),
    '3rdparty': { Extensions: { [firefoxId]: agentSettings(policy) } },
  }
}

const firefoxFile = (policy: RolloutPolicy): PolicyFile => ({
  id: 'firefox',
  title: 'Firefox on Windows and Linux',
  name: 'policies.json',
  type: 'application/json',
  use: 'Save it in the folder “distribution” of Firefox, on Linux also in /etc/firefox/policies/.',
  content: jsonText({ policies: firefoxPolicies(policy) }),
})

const firefoxMacFile = (policy: RolloutPolicy): PolicyFile => ({
  id: 'mac-firefox',
  title: 'Firefox on macOS',
  name: 'muster-firefox.mobileconfig',
  type: 'application/x-apple-aspen-config',
  use: 'Upload it to your MDM, such as Jamf, Kandji or Intune.',
  content: profileOf(policy, 'Firefox', [
    {
      domain: 'org.mozilla.firefox',
      settings: { EnterprisePoliciesEnabled: true, ...firefoxPolicies(policy) },
    },
  ]),
})

/** Returns a configuration profile with a payload for each preference domain. */
function profileOf(
  { makeUuid, serverUrl }: RolloutPolicy,
  browser: string,
  payloads: readonly { readonly domain: string; readonly settings: Readonly<Record<string, PlistValue>> }[],
): string {
  const identifier = `muster.agent.${browser.toLowerCase()}`
  return plistOf({
    PayloadContent: payloads.map(({ domain, settings }, at) => ({
      ...settings,
      PayloadIdentifier: `${identifier}.${at + 1}`,
      PayloadType: domain,
      PayloadUUID: makeUuid().toUpperCase(),
      PayloadVersion: 1,
    })),
    PayloadDescription: `Connects the Muster agent to ${serverUrl}.`,
    PayloadDisplayName: `Muster agent for ${browser}`,
    PayloadIdentifier: identifier,
    PayloadScope: 'System',
    PayloadType: 'Configuration',
    PayloadUUID: makeUuid().toUpperCase(),
    PayloadVersion: 1,
  })
}
