/**
 * Says why `npm ci` failed and what helps, from what it printed.
 */
const CAUSES = [
  {
    pattern: /ENOSPC|no space left on device/i,
    advice: 'The disk is full. Free about 1 GB and run the same command again.',
  },
  {
    pattern: /EACCES|EPERM|EROFS/,
    advice:
      "npm may not write here. Check who owns this folder and npm's cache, and run the same command again.",
  },
  {
    pattern: /not in sync|npm ci. can only install packages when/i,
    advice: 'package.json and package-lock.json disagree. Run `npm install` once and commit the lock file.',
  },
  {
    pattern: /gyp ERR!.*(headers|GET|fetch|download)|getaddrinfo[\s\S]*node-v\d+.*headers/i,
    advice:
      "better-sqlite3 has no prebuilt binary for this machine, and the headers of Node.js to compile it could not be fetched. Let this machine reach nodejs.org, or point npm_config_nodedir at a folder with the headers (/usr, where the distribution's package has put them there).",
  },
  {
    pattern:
      /not found: make|make: not found|g\+\+: (command )?not found|Could not find any Python|find Python|No Xcode or CLT|not found: (cc|gcc|c\+\+|g\+\+)|gyp ERR!/i,
    advice:
      'better-sqlite3 has no prebuilt binary for this machine and could not be compiled. Install a C++ compiler, make and Python 3 (Debian: apt-get install g++ make python3; macOS: xcode-select --install), and run the same command again.',
  },
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network (request|connectivity)|CERT_|self.signed certificate/i,
    advice:
      "The npm registry cannot be reached. Check the network and, behind a proxy, npm's `proxy` and `registry` settings, and run the same command again.",
  },
]

/** Lines of npm and node-gyp that say nothing about the cause. */
const NOISE =
  /^npm error\s*$|^npm error (gyp ERR! )?(stack +at|at|\(?use|A complete log|\}|\{)|gyp ERR! (System|command|cwd|node|\$npm|not ok)|^npm error\s+at /

/**
 * @param {string} output everything that npm printed
 * @returns {string} the cause, what to do, and npm's own words
 */
export function explainInstallFailure(output) {
  const cause = CAUSES.find(({ pattern }) => pattern.test(output))
  const words = output.split('\n').filter((line) => line.startsWith('npm error') && !NOISE.test(line))
  const advice = cause?.advice ?? 'Run `npm ci` to see everything it prints.'
  return [
    'The dependencies could not be installed.',
    advice,
    ...words.slice(-8).map((line) => `  ${line}`),
  ].join('\n')
}
