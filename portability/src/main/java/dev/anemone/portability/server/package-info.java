// SPDX-License-Identifier: Apache-2.0
/** Beam's Job API: takes jobs and staged files, and says what becomes of the jobs. */
package dev.anemone.portability.server;
