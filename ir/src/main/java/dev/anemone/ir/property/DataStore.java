// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** Where the data of an edge lies between producer and consumer. */
public enum DataStore implements EdgeProperty {
  LOCAL_FILE,
  MEMORY,
  PERSISTENT_MEMORY,
  REMOTE_MEMORY,
  SHARED_FILE_SYSTEM
}
