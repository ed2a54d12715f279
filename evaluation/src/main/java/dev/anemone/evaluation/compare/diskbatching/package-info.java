// SPDX-License-Identifier: Apache-2.0
/** What disk read batching saves on a disk with a moving head. */
package dev.anemone.evaluation.compare.diskbatching;
