// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.LocalResource;

/**
 * A class path that lies on the cluster's file system.
 *
 * @param resources what containers need, by the names that YARN is to give it in their working
 *     directories
 * @param entries the class path: names relative to a container's working directory, in the order in
 *     which classes are to be searched
 * @param uploadedBytes that were sent
 * @param reusedBytes that were there already
 */
public record ShippedClassPath(
    Map<String, LocalResource> resources,
    List<String> entries,
    long uploadedBytes,
    long reusedBytes) {

  public ShippedClassPath {
    resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    entries = List.copyOf(entries);
  }
}
