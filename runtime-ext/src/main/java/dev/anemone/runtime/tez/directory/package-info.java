// SPDX-License-Identifier: Apache-2.0
/** The directory of a job, by whose files its processes tell each other what lasts. */
package dev.anemone.runtime.tez.directory;
