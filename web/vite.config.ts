/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
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

/** The service worker knows the files of its version of the page; the board editor has a page of its own. */
function pageFiles(): Plugin {
  return {
    name: 'page-files',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle['sw.js']
      if (worker?.type !== 'chunk') return
      const own = /^assets\/(?!editor|LICENSE).+\.(js|css|woff2|svg)$/
      const files = Object.keys(bundle).filter((name) => own.test(name))
      const paths = [...files, 'favicon.svg', 'theme.js', 'manifest.webmanifest', 'icon-192.png'].map(
        (name) => `/${name}`,
      )
      const version = createHash('sha256').update(paths.join()).update(worker.code).digest('hex').slice(0, 12)
      worker.code = worker.code
        .replaceAll('__PAGE_FILES__', JSON.stringify(paths.sort()))
        .replaceAll('__PAGE_VERSION__', JSON.stringify(version))
    },
  }
}

export default defineConfig({
  plugins: [svelte(), namedMedia(), fontLicences(), pageFiles()],
  build: {
    outDir: '../src/industry/server/static',
    emptyOutDir: true,
    // the page's security policy allows no inline script
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: 'es2022',
    // the game, the board editor of `industry board edit`, and the service worker
    rolldownOptions: {
      input: { index: 'index.html', editor: 'editor.html', sw: 'src/notices/worker.ts' },
      output: { entryFileNames: (entry) => (entry.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: {
    // pictures and catalogues come from the Python package beside this folder
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true } },
  },
  // a test takes long only where other programs keep the machine busy
  // one environment for all files: to make one for each was most of their time
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    testTimeout: 120_000,
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
  },
  // without this, tests would load Svelte's version for servers
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
})
