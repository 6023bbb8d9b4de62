import type { Target } from '../executable/targets.ts'
import type { Product } from './product.ts'

/** An archive of a release, as Homebrew downloads it. */
export interface Archive {
  readonly target: Target
  readonly name: string
  readonly sha256: string
}

/**
 * A Homebrew formula for the archives of a release: the executable, completions and manual page,
 * which it prints itself.
 *
 * @param address folder that the archives are downloaded from
 */
export function homebrewFormula(archives: readonly Archive[], address: string, product: Product): string {
  const blocks = (['darwin', 'linux'] as const).flatMap((os) => {
    const ofSystem = archives.filter(({ target }) => target.os === os && target.libc !== 'musl')
    if (ofSystem.length === 0) return []
    return [
      `  on_${os === 'darwin' ? 'macos' : os} do`,
      ...ofSystem.flatMap((archive) => download(archive, address)),
      '  end',
      '',
    ]
  })
  return [
    'class Tracelake < Formula',
    `  desc "${sentence(product.description)}"`,
    `  homepage "${address}"`,
    `  version "${product.version}"`,
    `  license "${product.license}"`,
    '',
    ...blocks,
    '  def install',
    '    bin.install "tracelake"',
    '    generate_completions_from_executable(bin/"tracelake", "completions", shells: [:bash, :zsh, :fish])',
    '    (man1/"tracelake.1").write Utils.safe_popen_read(bin/"tracelake", "man")',
    '  end',
    '',
    '  service do',
    '    run [opt_bin/"tracelake", "serve", "--data", var/"tracelake"]',
    '    keep_alive true',
    '    log_path var/"log/tracelake.log"',
    '    error_log_path var/"log/tracelake.log"',
    '  end',
    '',
    '  test do',
    '    assert_match version.to_s, shell_output("#{bin}/tracelake --version")',
    '  end',
    'end',
    '',
  ].join('\n')
}

const download = ({ target, name, sha256 }: Archive, address: string): string[] => [
  `    on_${target.cpu === 'arm64' ? 'arm' : 'intel'} do`,
  `      url "${address}/${name}"`,
  `      sha256 "${sha256}"`,
  '    end',
]

/** Homebrew wants a short description that does not name the formula or end with a full stop. */
const sentence = (description: string): string => description.split(':')[0]!.trim()
