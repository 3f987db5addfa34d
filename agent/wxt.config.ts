import { defineConfig } from 'wxt'
import { agentManifest } from './agent-manifest.ts'
import { leanCatalog } from './lean-catalog.ts'
import { leanEntrypoints } from './lean-entrypoints.ts'
import { leanPasswordFacts } from './lean-password-facts.ts'
import { leanWords } from './lean-words.ts'

/**
 * Build configuration of the agent for `npm run agent:build` (scripts/build-agent.ts). No auto-imports, no network
 * access.
 */

export default defineConfig({
  srcDir: 'src',
  // Builds into a temporary folder first, so an incomplete build is never used (scripts/build-agent.ts).
  outDir: process.env.MUSTER_AGENT_OUT ?? 'dist',
  outDirTemplate: '{{browser}}',
  manifestVersion: 3,
  imports: false,
  zip: { artifactTemplate: 'muster-agent-{{version}}-{{browser}}.zip', zipSources: false },
  // Keeps scripts small, because every page loads them. To verify an installed agent, build the same commit again (ADR
  // 0043).
  vite: () => ({
    plugins: [leanCatalog(), leanEntrypoints(), leanPasswordFacts(), leanWords()],
    json: { stringify: true },
    build: {
      minify: process.env.MUSTER_AGENT_READABLE === undefined,
      target: 'es2024',
      modulePreload: { polyfill: false },
    },
  }),
  manifest: ({ browser }) => agentManifest(browser === 'firefox' ? 'firefox' : 'chromium'),
})
