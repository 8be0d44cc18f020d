/** The context board for surfaces: finds out whose board is meant, asks the engine, and keeps the store in step. */
import { type Board, openBoard } from "../../chronicle/board/board.ts";
import { applyProposals, chooseProposals, findProposals } from "../../chronicle/board/consolidate.ts";
import { demoFolder, workFolder } from "../../demo/places.ts";
import type { BoardItem } from "../../model/board/item.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { findRepositories } from "../../store/completions.ts";
import { repositoryOfFolder } from "../../store/folder-rows.ts";
import { storePath } from "../../store/path.ts";
import { readBoardChanges } from "../../store/state/board.ts";
import type { Call, Notice } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { Request } from "../request.ts";
import { isStoreFault } from "../store/queries.ts";
import {
  type BoardPlaceRequest,
  type FoundPlace,
  findPlace,
  getPlace,
  noRepository,
  type PlaceParts,
} from "./board-place.ts";
import type { BoardApp, BoardList } from "./contract.ts";
import { mirrorOwnItems, readVendorItems } from "./vendor-items.ts";

const RECENT_MS = 90 * 24 * 60 * 60_000;

export function createBoardApp(
  open: (call: Call) => Promise<Request>,
  config: AppConfig,
  tell: Notice,
): BoardApp {
  const { now } = config;
  const boardOf = async (opened: Request): Promise<Board> =>
    openBoard({ folder: opened.dataFolder, now, vendorItems: await readVendorItems(opened) });
  const placesOf = (opened: Request, items: () => readonly BoardItem[]): PlaceParts => ({
    catalog: opened.catalog,
    folder: config.folder,
    ...(opened.demo && { within: workFolder(demoFolder(config.dataHome)) }),
    async known() {
      const sessions = isThere(storePath(opened.dataFolder))
        ? await opened.askStoreOrNot(({ db }) => findRepositories(db))
        : undefined;
      return [...new Set([...items().map(({ repository }) => repository), ...(sessions ?? [])])];
    },
    recall: (folder) =>
      opened.askStoreOr(
        {},
        ({ db }) => repositoryOfFolder(db, folder),
        async () => undefined,
      ),
  });
  /** The board with whose it is. */
  const find = async (request: BoardPlaceRequest, call: Call) => {
    refuseAborted(call.signal);
    const opened = await open(call);
    const board = await boardOf(opened);
    const place = await findPlace(
      request,
      placesOf(opened, () => board.items()),
    );
    return { opened, board, place };
  };
  const written = async <T>(opened: Request, write: T): Promise<T> => {
    await mirrorOwnItems(opened, now);
    return write;
  };
  const listOf = (board: Board, place: FoundPlace): BoardList => {
    const items = board.items(place);
    return { items, place, others: board.items().length - items.length };
  };
  /** Who may only read our folder still gets what is in it. */
  const counting = async <T>(opened: Request, call: Call, count: () => T, otherwise: T): Promise<T> => {
    try {
      return await written(opened, count());
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      (call.onNotice ?? tell)(`That it was read could not be counted: ${error.message}`);
      return otherwise;
    }
  };
  return {
    async list(request = {}, call = {}) {
      const { board, place } = await find(request, call);
      return listOf(board, place);
    },
    async get({ name, itemSource, ...request }, call = {}) {
      const { opened, board, place } = await find(request, call);
      const item = board.find({ ...place, name, ...(itemSource !== undefined && { source: itemSource }) });
      return counting(opened, call, () => board.countRead(item), item);
    },
    async handOut(request = {}, call = {}) {
      const { opened, board, place } = await find(request, call);
      const list = listOf(board, place);
      const items = await counting(opened, call, () => board.countUse(list.items), list.items);
      return { ...list, items };
    },
    async add({ name, content, description, source = "user", dryRun, ...request }, call = {}) {
      refuseAborted(call.signal);
      const opened = await open(call);
      const board = openBoard({ folder: opened.dataFolder, now, vendorItems: [] });
      const place = await getPlace(
        request,
        placesOf(opened, () => board.items()),
      );
      const text = { name, content, ...(description !== undefined && { description }) };
      const added = board.add(place, text, source, { dryRun });
      return dryRun ? added : written(opened, added);
    },
    async edit({ name, itemSource, repository, branch, all, ...change }, call = {}) {
      const { opened, board, place } = await find(toRequest({ repository, branch, all }), call);
      const wanted = { ...place, name, ...(itemSource !== undefined && { source: itemSource }) };
      return written(opened, board.edit(wanted, change));
    },
    async prune({ repository, branch, all, ...request }, call = {}) {
      const where = request.items ? { all: true } : toRequest({ repository, branch, all });
      const { opened, board, place } = await find(where, call);
      // Somebody in a folder without a board did not mean all there are.
      if (!where.all && place.repository === undefined) throw noRepository(config.folder);
      return written(opened, board.prune({ ...place, ...request }));
    },
    async consolidate(request = {}, call = {}) {
      const { since = new Date(now().getTime() - RECENT_MS), apply = false, only, ...where } = request;
      const { opened, board, place } = await find(where, call);
      // What is said on other branches holds here, too; only a branch that was named is meant alone.
      const { branch } = where;
      const parts = { folder: opened.dataFolder, now, items: () => board.items() };
      const scope = {
        since,
        ...(place.repository !== undefined && { repository: place.repository }),
        ...(branch !== undefined && { branch }),
      };
      const proposals = await opened.askStore({}, ({ db }) => findProposals(db, scope, parts));
      const chosen = chooseProposals(proposals, only);
      const write = apply ? applyProposals(parts, chosen) : undefined;
      return written(opened, {
        proposals: chosen,
        place,
        since,
        ...(write && { operation: write.operation }),
      });
    },
    async undo(operation, call = {}) {
      refuseAborted(call.signal);
      const opened = await open(call);
      const board = openBoard({ folder: opened.dataFolder, now, vendorItems: [] });
      return written(opened, board.undo(operation));
    },
    async changes(call = {}) {
      refuseAborted(call.signal);
      const { dataFolder } = await open(call);
      return readBoardChanges(dataFolder, now);
    },
  };
}

/** Only what was given. */
const toRequest = ({
  repository,
  branch,
  all,
}: { readonly [K in keyof BoardPlaceRequest]: BoardPlaceRequest[K] | undefined }): BoardPlaceRequest => ({
  ...(repository !== undefined && { repository }),
  ...(branch !== undefined && { branch }),
  ...(all && { all }),
});
