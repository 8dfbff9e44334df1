import { describe, expect, it } from 'vitest'
import { explainInstallFailure } from '../../scripts/setup/explain-install-failure.mjs'

describe('explainInstallFailure', () => {
  it.each([
    [
      'no network',
      'npm error code ECONNREFUSED\nnpm error FetchError: request to registry failed, reason: connect ECONNREFUSED 127.0.0.1:1',
      'The npm registry cannot be reached.',
    ],
    [
      'no name service',
      'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo',
      'The npm registry cannot be reached.',
    ],
    [
      'no make',
      'npm info run better-sqlite3@12.11.1 install\nnpm error gyp ERR! stack Error: not found: make',
      'better-sqlite3 has no prebuilt binary for this machine and could not be compiled. Install a C++ compiler',
    ],
    [
      'no Python',
      'npm error gyp ERR! find Python Python is not set from command line or npm configuration',
      'better-sqlite3 has no prebuilt binary for this machine and could not be compiled. Install a C++ compiler',
    ],
    [
      'no headers of Node.js',
      'npm error gyp http GET https://nodejs.org/download/release/v20.20.2/node-v20.20.2-headers.tar.gz\nnpm error gyp ERR! stack FetchError: request failed, reason: getaddrinfo EAI_AGAIN nodejs.org',
      'better-sqlite3 has no prebuilt binary for this machine, and the headers of Node.js to compile it could not be fetched.',
    ],
    ['a full disk', 'npm error code ENOSPC\nnpm error nospc write', 'The disk is full.'],
    [
      'a folder of somebody else',
      'npm error code EACCES\nnpm error syscall mkdir',
      'npm may not write here.',
    ],
    [
      'a lock file that is behind',
      'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      'package.json and package-lock.json disagree.',
    ],
    ['something else', 'npm error Unexpected end of JSON input', 'Run `npm ci` to see everything it prints.'],
  ])('knows %s', (_, output, advice) => {
    const [title, second] = explainInstallFailure(output).split('\n')
    expect(title).toBe('The dependencies could not be installed.')
    expect(second).toContain(advice)
  })

  it("ends with npm's own words, less the stack", () => {
    const output = [
      'npm http fetch GET 200 ajv',
      'npm error code 1',
      'npm error gyp ERR! stack Error: not found: make',
      'npm error gyp ERR! stack at getNotFoundError (which.js:14:17)',
      'npm error gyp ERR! cwd /home/user',
      'npm error gyp ERR! not ok',
      'npm error A complete log of this run can be found in: /home/user/.npm',
    ].join('\n')
    expect(explainInstallFailure(output).split('\n').slice(2)).toEqual([
      '  npm error code 1',
      '  npm error gyp ERR! stack Error: not found: make',
    ])
  })
})
