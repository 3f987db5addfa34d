/** Browser families that the agent is built for. */
export type AgentTarget = 'chromium' | 'firefox'

/**
 * Public key that determines the extension ID, so that the ID is the same wherever the folder is loaded:
 * ibldkgglafofgpgdbkgkanfdkbdgpakh.
 */
const chromiumKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtCOuT8gYwzkRE6cNXVDKtYhcR3zzrmC+7NxooVZ7wvmwxbn9Bmmdfmcyc3N1HMitnxEDiH7rKCIp+7MOwuXvfWaVWHrnqEmkaveGr5wRuBrr7lHDpqqqI2WOz34dvI2Iua7WKzZOpoZK62m92lONxSbH84RTeg/TRTHbLgwXzcWMwxWmfn4Jtuk0rYCkP5wz8iNmdVSGYP91RE281q6Uv4eZN+Im1Rn3DTCoepiloUmKbiRgokYGU5xja1x5s17aC3d/Yi0wfMSw+cqEXoi72ZUNvFLQJ3db3VrCPRyP16D2uC81hi8Okmn5exGwbuKWjZJuPKYlxdsJublYtH2zvQIDAQAB'

/** Each permission is explained in docs/guide/agent-permissions.md; a test compares both. */
const permissions = [
  'alarms',
  'declarativeNetRequest',
  'management',
  'scripting',
  'storage',
  'unlimitedStorage',
  'webNavigation',
  'webRequest',
]
const chromiumPermissions = [...permissions, 'identity', 'identity.email']

const chromiumOnly = {
  key: chromiumKey,
  minimum_chrome_version: '126',
  storage: { managed_schema: 'managed-schema.json' },
}

/** Firefox shows these categories of collected data at installation. */
const firefoxOnly = {
  browser_specific_settings: {
    gecko: {
      id: 'agent@muster.invalid',
      strict_min_version: '128.0',
      data_collection_permissions: {
        required: ['authenticationInfo', 'browsingActivity', 'personallyIdentifyingInfo'],
      },
    },
  },
} as const

const everyFrame = {
  matches: ['http://*/*', 'https://*/*'],
  run_at: 'document_start',
  all_frames: true,
  match_about_blank: true,
  match_origin_as_fallback: true,
} as const

/**
 * Scripts injected into every frame before its page runs. The background injects the rest
 * (`background/inject-scripts.ts`).
 */
export const frameScripts = [
  { ...everyFrame, js: ['loader.js'] },
  { ...everyFrame, js: ['page-world.js'], world: 'MAIN' },
] as const

/** Returns the parts of the manifest that WXT does not derive from the entrypoints. */
export function agentManifest(target: AgentTarget) {
  return {
    name: 'Muster agent',
    short_name: 'Muster',
    description: 'Reports the use of work apps to your organization and protects you from phishing.',
    // Sign-ins happen on any host, and any host may be blocked.
    host_permissions: ['<all_urls>'],
    permissions: target === 'firefox' ? permissions : chromiumPermissions,
    action: { default_title: 'Muster agent' },
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src https: http://localhost:* http://127.0.0.1:*",
    },
    content_scripts: frameScripts,
    // Target of redirects from blocked addresses. The page shows nothing when embedded.
    web_accessible_resources: [{ resources: ['block.html'], matches: ['<all_urls>'] }],
    ...(target === 'firefox' ? firefoxOnly : chromiumOnly),
  }
}
