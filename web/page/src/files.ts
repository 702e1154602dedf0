// files.ts: what was dropped, opened or picked: one asset, and the files beside it by their paths.
export interface Given {
  name: string;
  bytes: Uint8Array;
  files: Map<string, Uint8Array>;
}

interface Entry {
  path: string;
  file: File;
}

/** All files of what was dropped, folders walked. */
export async function dropped(items: DataTransferItemList, files: FileList): Promise<Entry[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry) as FileSystemEntry[];
  if (!entries.length) return chosen(files);
  const found: Entry[] = [];
  const walk = async (entry: FileSystemEntry, prefix: string): Promise<void> => {
    if (found.length > 2000) return;
    if (entry.isFile) {
      const file = await new Promise<File>((ok, fail) => (entry as FileSystemFileEntry).file(ok, fail));
      found.push({ path: prefix + entry.name, file });
    } else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((ok, fail) => reader.readEntries(ok, fail));
        if (!some.length) break;
        for (const each of some) await walk(each, `${prefix}${entry.name}/`);
      }
    }
  };
  for (const entry of entries) await walk(entry, '');
  return found;
}

export const chosen = (files: FileList): Entry[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** The asset among files, and the others relative to it. */
export async function assetOf(entries: Entry[]): Promise<Given> {
  const assets = entries.filter(({ path }) => /\.(glb|gltf|vrm)$/i.test(path));
  if (!assets.length) throw new Error(entries.length ? 'there is no .glb, .gltf or .vrm among these files' : 'nothing was dropped');
  // The one nearest to the top; a .gltf before a .glb of the same folder, since its files came along.
  assets.sort((a, b) => a.path.split('/').length - b.path.split('/').length || Number(/\.glb$/i.test(a.path)) - Number(/\.glb$/i.test(b.path)) || a.path.localeCompare(b.path));
  const asset = assets[0]!, folder = asset.path.slice(0, asset.path.lastIndexOf('/') + 1);
  const files = new Map<string, Uint8Array>();
  await Promise.all(entries.filter((entry) => entry !== asset && entry.path.startsWith(folder)).map(async ({ path, file }) => {
    files.set(path.slice(folder.length), new Uint8Array(await file.arrayBuffer()));
  }));
  return { name: asset.path.slice(folder.length), bytes: new Uint8Array(await asset.file.arrayBuffer()), files };
}

/** The asset that this page carries, or null. */
export function embedded(): Given | null {
  const carrier = document.getElementById('supple-asset');
  if (!carrier?.textContent?.trim()) return null;
  const text = atob(carrier.textContent.trim()), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return { name: carrier.dataset.name ?? 'asset.glb', bytes, files: new Map() };
}
