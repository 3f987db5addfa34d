import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { declarations } from './declarations-plugin.ts'

/** The policy of the page allows no inline script or style, so nothing is put inline. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), declarations()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
})
