import { defineConfig } from 'wxt'
import { leanWords } from './lean-words.ts'

/**
 * How the agent is built: `npm run agent:build` (scripts/build-agent.ts). No auto-imports, no network, and
 * every permission with its reason in docs/guide/agent-permissions.md.
 */

/**
 * The public half of the key that the extension's id comes from, so that the id is the same wherever the
 * folder is loaded: ibldkgglafofgpgdbkgkanfdkbdgpakh.
 */
const chromiumKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtCOuT8gYwzkRE6cNXVDKtYhcR3zzrmC+7NxooVZ7wvmwxbn9Bmmdfmcyc3N1HMitnxEDiH7rKCIp+7MOwuXvfWaVWHrnqEmkaveGr5wRuBrr7lHDpqqqI2WOz34dvI2Iua7WKzZOpoZK62m92lONxSbH84RTeg/TRTHbLgwXzcWMwxWmfn4Jtuk0rYCkP5wz8iNmdVSGYP91RE281q6Uv4eZN+Im1Rn3DTCoepiloUmKbiRgokYGU5xja1x5s17aC3d/Yi0wfMSw+cqEXoi72ZUNvFLQJ3db3VrCPRyP16D2uC81hi8Okmn5exGwbuKWjZJuPKYlxdsJublYtH2zvQIDAQAB'

const sharedPermissions = [
  'alarms',
  'declarativeNetRequest',
  'management',
  'storage',
  'tabs',
  'unlimitedStorage',
  'webNavigation',
  'webRequest',
]

/** Firefox asks at installation for what is collected, in its own words. */
const gecko = {
  id: 'agent@muster.invalid',
  strict_min_version: '128.0',
  data_collection_permissions: {
    required: ['authenticationInfo', 'browsingActivity', 'personallyIdentifyingInfo'],
  },
} as const

export default defineConfig({
  srcDir: 'src',
  // The build goes to a folder of its own first, so that nobody finds half of it (scripts/build-agent.ts).
  outDir: process.env.MUSTER_AGENT_OUT ?? 'dist',
  outDirTemplate: '{{browser}}',
  manifestVersion: 3,
  imports: false,
  zip: { artifactTemplate: 'muster-agent-{{version}}-{{browser}}.zip', zipSources: false },
  // Readable code in the browser: what is installed can be compared with what is published here.
  vite: () => ({
    plugins: [leanWords()],
    json: { stringify: true },
    build: { minify: false, target: 'es2024', modulePreload: { polyfill: false } },
  }),
  manifest: ({ browser }) => ({
    name: 'Muster agent',
    short_name: 'Muster',
    description: 'Reports the use of work apps to your organisation, and protects you from phishing.',
    // Sign-ins happen on any host, and any host may be blocked.
    host_permissions: ['<all_urls>'],
    permissions:
      browser === 'firefox' ? sharedPermissions : [...sharedPermissions, 'identity', 'identity.email'],
    action: { default_title: 'Muster agent' },
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src https: http://localhost:* http://127.0.0.1:*",
    },
    // Redirects of blocked addresses end there; the page tells whoever opens it nothing.
    web_accessible_resources: [{ resources: ['block.html'], matches: ['<all_urls>'] }],
    ...(browser === 'firefox'
      ? { browser_specific_settings: { gecko } }
      : {
          key: chromiumKey,
          minimum_chrome_version: '126',
          storage: { managed_schema: 'managed-schema.json' },
        }),
  }),
})
