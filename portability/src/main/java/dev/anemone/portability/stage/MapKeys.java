// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapEntriesUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysUserState;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapUserState;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * Which encoded keys the maps of a user's state have, in the order in which they came. Not
 * thread-safe.
 */
final class MapKeys {

  private final Map<MultimapKeysUserState, Set<ByteString>> keys = new HashMap<>();

  /** Adds the key of an entry; says whether it is new. */
  boolean add(MultimapUserState entry) {
    return keys.computeIfAbsent(mapOf(entry), absent -> new LinkedHashSet<>())
        .add(entry.getMapKey());
  }

  /** Forgets the key of an entry, if it is there. */
  void remove(MultimapUserState entry) {
    MultimapKeysUserState map = mapOf(entry);
    Set<ByteString> ofMap = keys.get(map);
    if (ofMap != null && ofMap.remove(entry.getMapKey()) && ofMap.isEmpty()) {
      keys.remove(map);
    }
  }

  /** The keys of a map, as they are now. */
  List<ByteString> of(MultimapKeysUserState map) {
    return List.copyOf(keys.getOrDefault(map, Set.of()));
  }

  /** Forgets all maps. */
  void clear() {
    keys.clear();
  }

  /** The entry of a map that has a key. */
  static MultimapUserState entry(MultimapKeysUserState map, ByteString key) {
    return MultimapUserState.newBuilder()
        .setTransformId(map.getTransformId())
        .setUserStateId(map.getUserStateId())
        .setWindow(map.getWindow())
        .setKey(map.getKey())
        .setMapKey(key)
        .build();
  }

  /** The map whose entries somebody asks for. */
  static MultimapKeysUserState mapOf(MultimapEntriesUserState entries) {
    return MultimapKeysUserState.newBuilder()
        .setTransformId(entries.getTransformId())
        .setUserStateId(entries.getUserStateId())
        .setWindow(entries.getWindow())
        .setKey(entries.getKey())
        .build();
  }

  private static MultimapKeysUserState mapOf(MultimapUserState entry) {
    return MultimapKeysUserState.newBuilder()
        .setTransformId(entry.getTransformId())
        .setUserStateId(entry.getUserStateId())
        .setWindow(entry.getWindow())
        .setKey(entry.getKey())
        .build();
  }
}
