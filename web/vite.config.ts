/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { withMediaWords } from './src/lib/breakpoints.ts'

const server = process.env['INDUSTRY_SERVER'] ?? 'http://127.0.0.1:8000'

/** The licences of the fonts lie beside them. */
function fontLicences(): Plugin {
  return {
    name: 'font-licences',
    generateBundle() {
      for (const name of ['LICENSE-roboto.txt', 'LICENSE-roboto-slab.txt']) {
        this.emitFile({
          type: 'asset',
          fileName: `assets/${name}`,
          source: readFileSync(new URL(`../src/industry/fonts/${name}`, import.meta.url)),
        })
      }
    },
  }
}

/** Window sizes have names in style sheets: `@media (--phone)`. */
function namedMedia(): Plugin {
  return {
    name: 'named-media',
    enforce: 'pre',
    transform(code, id) {
      return /\.css($|\?)/.test(id) ? { code: withMediaWords(code), map: null } : undefined
    },
  }
}

export default defineConfig({
  plugins: [svelte(), namedMedia(), fontLicences()],
  build: {
    outDir: '../src/industry/server/static',
    emptyOutDir: true,
    // the page's security policy allows no inline script
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: 'es2022',
    // the game, and the board editor of `industry board edit`
    rolldownOptions: { input: ['index.html', 'editor.html'] },
  },
  server: {
    // pictures and catalogues come from the Python package beside this folder
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true } },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
  // without this, tests would load Svelte's version for servers
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
})
