import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { declarations } from './declarations-plugin.ts'
import { firstLoad } from './first-load-plugin.ts'

/** The policy of the page allows no inline script or style, so nothing is put inline. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), declarations(), firstLoad()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Parts that most pages share are one file each: dozens of small files cost a slow line a round trip each.
          groups: [
            // A file of its own, as it changes with the catalog only.
            { name: 'app-names', test: /virtual:muster-app-names/, priority: 1 },
            { name: 'libraries', test: /node_modules\/(?:react|react-dom|scheduler|@tanstack)\// },
            { name: 'shared', test: /console\/src\/(?:ui|data|shell)\/|lucide-react/, minShareCount: 3 },
          ],
        },
      },
    },
  },
})
