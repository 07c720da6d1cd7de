import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user that the image of Node brings. */
const USERS = 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n';
const GROUPS = 'root:x:0:\nnode:x:1000:\n';
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
/** Of this machine, in the stead of the image's base: seen, and not written to. */
const LENT = ['usr', 'bin', 'sbin', 'lib', 'lib64'];

interface RunOptions {
  env?: Readonly<Record<string, string>>;
  /** In it. */
  folder: string;
  user?: 'root' | 'node';
  /** Everything but `/tmp` and these. */
  readOnlyBut?: readonly string[];
}

/**
 * A folder that programs take for `/`, as a container's is, with this machine's programs in it and the Node that runs this. Mounts are seen by each
 * program alone. Needs root.
 */
export class RootFolder {
  constructor(readonly path: string) {
    for (const name of ['etc', 'tmp', 'root', 'proc', 'dev', 'home/node', 'own-bin'])
      mkdirSync(join(path, name), { recursive: true });
    chmodSync(join(path, 'tmp'), 0o1777);
    for (const name of LENT) {
      if (!existsSync(`/${name}`)) continue;
      if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(path, name));
      else mkdirSync(join(path, name));
    }
    writeFileSync(join(path, 'etc/passwd'), USERS);
    writeFileSync(join(path, 'etc/group'), GROUPS);
    for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf']) {
      if (existsSync(`/etc/${name}`)) copyFileSync(`/etc/${name}`, join(path, 'etc', name));
    }
    mkdirSync(join(path, 'etc/ssl'));
    mkdirSync(join(path, 'etc/alternatives'));
    copyFileSync(process.execPath, join(path, 'own-bin/node'));
    chmodSync(join(path, 'own-bin/node'), 0o755);
  }

  run(command: readonly string[], { env = {}, folder, user = 'root', readOnlyBut }: RunOptions): ChildProcess {
    const inside = (name: string): string => quoted(join(this.path, name));
    const lent = LENT.filter((name) => existsSync(`/${name}`) && !lstatSync(`/${name}`).isSymbolicLink());
    const mounts = [
      `mount --bind ${quoted(this.path)} ${quoted(this.path)}`,
      ...lent.map((name) => `mount --rbind /${name} ${inside(name)}`),
      `mount --bind ${inside('own-bin')} ${inside('usr/local/bin')}`,
      ...['proc', 'dev', 'etc/ssl', 'etc/alternatives'].map((name) => `mount --rbind /${name} ${inside(name)}`),
      ...(user === 'root' ? [`mount --bind ${quoted(homedir())} ${inside('root')}`] : []),
      ...(readOnlyBut ? this.readOnly(['/tmp', ...readOnlyBut]) : []),
    ];
    const variables = { PATH, HOME: user === 'root' ? '/root' : '/home/node', ...env };
    const given = Object.entries(variables).map(([name, value]) => quoted(`${name}=${value}`));
    const program = `cd ${quoted(folder)} && exec ${command.map(quoted).join(' ')}`;
    const as = user === 'root' ? '' : '--userspec=node:node';
    const enter = `exec chroot ${as} ${quoted(this.path)} env -i ${given.join(' ')} sh -c ${quoted(program)}`;
    const script = ['set -e', ...mounts, enter].join('\n');
    return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  private readOnly(writable: readonly string[]): string[] {
    const path = (name: string): string => quoted(join(this.path, name));
    return [
      ...writable.map((name) => `mount --bind ${path(name)} ${path(name)}`),
      `mount -o remount,bind,ro ${quoted(this.path)}`,
    ];
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
