import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { declarations } from './declarations-plugin.ts'
import { firstLoad } from './first-load-plugin.ts'
import { guide } from './guide-plugin.ts'

/** Server that answers the requests of the console during development (`npm run dev`). */
const server = 'https://localhost:8443'

/** The Content Security Policy allows no inline scripts or styles, so assets are never inlined. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), declarations(), guide(), firstLoad()],
  server: {
    strictPort: true,
    proxy: {
      '^/(?:console/api|v1|docs|agent|openapi\\.json)': {
        target: server,
        changeOrigin: true,
        // The certificate is self-signed.
        secure: false,
        configure: (proxy) =>
          proxy.on('proxyReq', (request) => {
            if (request.hasHeader('origin')) request.setHeader('origin', server)
          }),
      },
    },
  },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Bundle shared code into a few files: on a slow connection each small file costs a round trip.
          groups: [
            // Separate, because it changes only with the catalog.
            { name: 'app-names', test: /virtual:muster-app-names/, priority: 1 },
            { name: 'libraries', test: /node_modules\/(?:react|react-dom|scheduler|@tanstack)\// },
            { name: 'shared', test: /console\/src\/(?:ui|data|shell)\/|lucide-react/, minShareCount: 3 },
          ],
        },
      },
    },
  },
})
