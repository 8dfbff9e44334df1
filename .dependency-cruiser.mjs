/**
 * The layers, as rules: core ← workflows, activities, adapters, client ← gateway, cli. Composition roots (src/*.ts,
 * src/cli) may import everything below them.
 */

/**
 * A layer may import itself, other layers of ours and packages as listed, and nothing else.
 *
 * @param {string} layer
 * @param {{ layers?: string[], packages?: string[], node?: boolean, why: string }} allowed
 */
function only(layer, { layers = [], packages = [], node = false, why }) {
  const ours = [layer, ...layers].map((name) => `^src/${name}/`)
  const theirs = packages.map((name) => `^node_modules/${name}/`)
  return {
    name: `${layer}-imports`,
    comment: why,
    severity: 'error',
    from: { path: `^src/${layer}/` },
    to: { pathNot: [...ours, ...theirs], ...(node ? { dependencyTypesNot: ['core'] } : {}) },
  }
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    only('core', { why: 'Core is pure: no Node API, no package, nothing of ours outside it.' }),
    only('workflows', {
      layers: ['core', 'activities'],
      packages: ['@temporalio/(workflow|common)'],
      why: "Workflow code runs in Temporal's sandbox: core and the workflow API.",
    }),
    {
      name: 'workflows-only-types-of-activities',
      comment: 'Workflows know what activities look like, and never load them.',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/activities/', dependencyTypesNot: ['type-only'] },
    },
    only('activities', {
      layers: ['core'],
      packages: ['@temporalio/(activity|common)'],
      node: true,
      why: 'Activities get their ports as arguments.',
    }),
    ...[
      { layer: 'store', packages: ['kysely', 'better-sqlite3', '@types/better-sqlite3', 'pg', '@types/pg'] },
      { layer: 'model', packages: ['openai'] },
      {
        layer: 'tools',
        packages: ['ajv', 'diff', 'htmlparser2', 're2js', 'zod', '@modelcontextprotocol/.+'],
      },
      { layer: 'testing', packages: ['zod', 'vitest', '@vitest/.+'] },
    ].map(({ layer, packages }) =>
      only(layer, { layers: ['core'], packages, node: true, why: 'Adapters import core, never each other.' }),
    ),
    only('client', {
      layers: ['core'],
      packages: ['@temporalio/(client|common)', 're2js'],
      node: true,
      why: 'The client is core and a Temporal client; its store is handed to it.',
    }),
    only('gateway', {
      layers: ['core', 'client'],
      packages: ['zod', 'hono', '@hono/.+', 'hono-rate-limiter', 'jose', 'openai'],
      node: true,
      why: 'The gateway is HTTP on the client.',
    }),
    only('console', {
      layers: ['core'],
      packages: ['react', 'react-dom', 'react-markdown', '@types/react', '@types/react-dom', 'vite'],
      why: 'The console is a page: it talks to the gateway by HTTP, and of ours it has core alone.',
    }),
    {
      name: 'console-is-a-page',
      comment: 'Nothing that runs in Node.js imports the page.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    {
      name: 'roots-are-not-imported',
      comment: 'Composition roots are at the top: nothing below them imports them.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/cli/' },
      to: { path: '^src/([^/]+\\.ts$|cli/)' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-dependencies',
      comment: 'What is shipped runs on `dependencies`; the console is shipped as a bundle.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/console/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/|^dist/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.check.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
