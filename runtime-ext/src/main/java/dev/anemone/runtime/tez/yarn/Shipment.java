// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

/**
 * How the jars of a class path go to the cluster: those that look like released ones, as the name
 * ends with a version, together in one archive, and the others, which may be different for the next
 * job, each for itself. A released jar that does change costs no more than a new archive.
 *
 * @param parcels by the names that containers know them by
 * @param entries of the class path, relative to a container's working directory
 */
record Shipment(Map<String, Parcel> parcels, List<String> entries) {

  private static final String ARCHIVE_LINK = "jars";
  private static final Pattern RELEASED = Pattern.compile(".+-\\d[\\w.+-]*\\.jar");
  private static final String UNRELEASED = "SNAPSHOT";

  /** Takes jars in the order of the class path; no two have the same content. */
  static Shipment of(List<Parcel.Jar> jars) {
    List<Parcel.Jar> released = jars.stream().filter(Shipment::isReleased).toList();
    if (released.stream().mapToLong(Parcel.Jar::bytes).sum() > JarArchive.MOST_BYTES) {
      released = List.of();
    }
    JarArchive archive = JarArchive.of(released);
    Map<String, Parcel> parcels = new LinkedHashMap<>();
    List<String> entries = new ArrayList<>();
    for (Parcel.Jar jar : jars) {
      if (released.contains(jar)) {
        parcels.put(ARCHIVE_LINK, archive);
        entries.add(ARCHIVE_LINK + "/" + archive.memberName(jar));
      } else {
        String link = String.format("%04d-%s", entries.size(), jar.name());
        parcels.put(link, jar);
        entries.add(link);
      }
    }
    return new Shipment(parcels, entries);
  }

  private static boolean isReleased(Parcel.Jar jar) {
    return RELEASED.matcher(jar.name()).matches() && !jar.name().contains(UNRELEASED);
  }

  /** What containers need, given where the parcels are, in their order. */
  ShippedClassPath shipped(List<JarDirectory.Placed> placed) {
    Map<String, LocalResource> resources = new LinkedHashMap<>();
    long uploaded = 0;
    long all = 0;
    int next = 0;
    for (Map.Entry<String, Parcel> parcel : parcels.entrySet()) {
      JarDirectory.Placed file = placed.get(next);
      next++;
      resources.put(parcel.getKey(), resource(parcel.getValue(), file.status()));
      uploaded += file.uploadedBytes();
      all += file.status().getLen();
    }
    return new ShippedClassPath(resources, entries, uploaded, all - uploaded);
  }

  private static LocalResource resource(Parcel parcel, FileStatus status) {
    return LocalResource.newInstance(
        URL.fromPath(status.getPath()),
        parcel instanceof JarArchive ? LocalResourceType.ARCHIVE : LocalResourceType.FILE,
        LocalResourceVisibility.PRIVATE,
        status.getLen(),
        status.getModificationTime());
  }
}
